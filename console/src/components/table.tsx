import type { ComponentChildren } from 'preact';
import { texts } from '../texts.ts';

export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => ComponentChildren;
  readonly isNumber?: boolean;
}

export interface TableProps<T> {
  readonly caption: string;
  /** Whether the caption is a heading of the page; a list has its own heading above it. */
  readonly isSection?: boolean;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  /** Whether there are more rows than these. */
  readonly isPartial?: boolean;
  /** Shown instead of an empty table. */
  readonly emptyText: string;
}

/** A table that can be scrolled sideways on a narrow screen. Every cell has its own direction of writing. */
export function Table<T>({ caption, isSection = false, isPartial = false, columns, rows, emptyText }: TableProps<T>) {
  const heading = isSection && <h2>{caption}</h2>;
  if (rows.length === 0)
    return (
      <>
        {heading}
        <p class="quiet">{emptyText}</p>
      </>
    );
  return (
    <>
      {heading}
      <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
        <table>
          <caption class="quiet">{isPartial ? texts.firstRows(rows.length) : texts.rows(rows.length)}</caption>
          <thead>
            <tr>
              {columns.map(({ title, isNumber }) => (
                <th key={title} scope="col" class={isNumber === true ? 'number' : ''}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
                {columns.map(({ title, cell, isNumber }) => (
                  <td key={title} dir="auto" class={isNumber === true ? 'number' : ''}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
