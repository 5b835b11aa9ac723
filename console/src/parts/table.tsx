import type { ComponentChildren } from 'preact';
import { texts } from '../texts.ts';

export interface Column<T> {
  readonly title: string;
  readonly of: (row: T) => ComponentChildren;
  readonly isNumber?: boolean;
}

interface TableProps<T> {
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  /** Shown instead of an empty table. */
  readonly whyEmpty: string;
}

/** A table that can be scrolled sideways on a narrow screen. Every cell has its own direction of writing. */
export function Table<T>({ caption, columns, rows, whyEmpty }: TableProps<T>) {
  if (rows.length === 0) return <p class="quiet">{whyEmpty}</p>;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption>
          {caption} <span class="quiet">{texts.rows(rows.length)}</span>
        </caption>
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
              {columns.map(({ title, of, isNumber }) => (
                <td key={title} dir="auto" class={isNumber === true ? 'number' : ''}>
                  {of(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
