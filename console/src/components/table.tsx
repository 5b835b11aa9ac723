import type { ComponentChildren } from 'preact';
import { formatMoney } from '../format.ts';
import { texts } from '../texts.ts';
import { Icon } from './icon.tsx';

/** An amount and its currency; null where it is not known, a text where there is none. */
export type Money = readonly [amount: string | null, currency: string] | string;

interface CellColumn<T> {
  readonly cell: (row: T) => ComponentChildren;
  readonly isNumber?: boolean;
}

/** Amounts. Their currency is in the heading where all rows have one. */
interface MoneyColumn<T> {
  readonly money: (row: T) => Money;
}

export type Column<T> = (CellColumn<T> | MoneyColumn<T>) & {
  readonly title: string;
  /** Left out on a phone. */
  readonly isMinor?: boolean;
};

export interface TableProps<T> {
  readonly caption: string;
  /** Whether the table is a card of its own with the caption as its heading; a list has its own heading above it. */
  readonly isSection?: boolean;
  /** The first column is the name of the row; its link is that of the row. */
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  /** Whether there are more rows than these. */
  readonly isPartial?: boolean;
  /** Shown instead of an empty table. */
  readonly emptyText: string;
  /** Whether only a screen reader has the number of rows. */
  readonly hasQuietCaption?: boolean;
  /** Whether it has too many columns for the page, and is scrolled sideways. */
  readonly isWide?: boolean;
}

/** A table, whose rows are cards on a narrow screen. Every cell has its own direction of writing. */
export function Table<T>({ isSection = false, ...props }: TableProps<T>) {
  if (!isSection) return <Rows {...props} />;
  return (
    <section class="card">
      <header>
        <h2>{props.caption}</h2>
      </header>
      <Rows {...props} hasQuietCaption />
    </section>
  );
}

function Rows<T>(props: Omit<TableProps<T>, 'isSection'>) {
  const { caption, isPartial = false, columns, rows, emptyText, isWide = false, hasQuietCaption = false } = props;
  if (rows.length === 0)
    return (
      <div class="empty">
        <Icon name="list" />
        <p>{emptyText}</p>
      </div>
    );
  const shown = columns.map((column) => shownColumn(column, rows));
  const firstNumber = shown.findIndex(({ isNumber }) => isNumber);
  const classOf = ({ isNumber, isMinor }: ShownColumn<T>, index: number): string =>
    [
      index === 0 && 'main',
      isNumber && 'number',
      // A card has room for one amount.
      (isMinor || (isNumber && index !== firstNumber)) && 'minor',
    ]
      .filter(Boolean)
      .join(' ');
  const table = (
    <table class={isWide ? '' : 'cards'}>
      <caption class={hasQuietCaption ? 'hidden' : ''}>
        {isPartial ? texts.firstRows(rows.length) : texts.rows(rows.length)}
      </caption>
      <thead>
        <tr>
          {shown.map(({ title, isNumber }) => (
            <th key={title} scope="col" class={isNumber ? 'number' : ''}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index} class="linked">
            {shown.map((column, place) => (
              <td key={column.title} dir="auto" class={classOf(column, place)}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
  return isWide ? (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
      {table}
    </div>
  ) : (
    table
  );
}

interface ShownColumn<T> {
  readonly title: string;
  readonly cell: (row: T) => ComponentChildren;
  readonly isNumber: boolean;
  readonly isMinor: boolean;
}

function shownColumn<T>(column: Column<T>, rows: readonly T[]): ShownColumn<T> {
  const { title, isMinor = false } = column;
  if (!('money' in column)) return { title, isMinor, cell: column.cell, isNumber: column.isNumber === true };
  const currencies = new Set(rows.map(column.money).flatMap((money) => (typeof money === 'string' ? [] : [money[1]])));
  const [only] = currencies.size === 1 ? currencies : [];
  return {
    title: only === undefined ? title : `${title}, ${only}`,
    isMinor,
    isNumber: true,
    cell: (row) => {
      const money = column.money(row);
      return typeof money === 'string' ? money : formatMoney(money[0], only === undefined ? money[1] : '');
    },
  };
}
