import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Days, Day } from '../components/values.tsx';
import { formatMoney, labelOf } from '../format.ts';
import { texts } from '../texts.ts';
import type { CommandName } from './commands.ts';

type Row = readonly [name: string, title: ComponentChildren, amount: string | null];

/** What a command would do: steps, and the sum that moves. */
export interface Preview {
  readonly rows: readonly Row[];
  readonly total: readonly [title: string, amount: string];
  readonly currency: string;
}

interface RenewalData {
  readonly effective_from: string;
  readonly effective_through: string;
  readonly premium: string;
  readonly tax: string | null;
  readonly currency: string;
}

interface CancellationData {
  readonly effective_on: string;
  readonly refund_amount: string;
  readonly tax_refunded: string | null;
  readonly refund_rule: string;
  readonly currency: string;
}

interface ChangeData {
  readonly effective_on: string;
  readonly premium_difference: string;
  readonly tax_difference: string | null;
  readonly currency: string;
  readonly terms: readonly {
    readonly term_id: string;
    readonly from: string;
    readonly through: string;
    readonly premium_before: string;
    readonly premium: string;
  }[];
}

function taxRow(title: string, tax: string | null): readonly Row[] {
  return tax === null ? [] : [['tax', title, tax]];
}

const PREVIEWS: Partial<Readonly<Record<CommandName, (data: never) => Preview>>> = {
  RenewPolicy: ({ effective_from, effective_through, premium, tax, currency }: RenewalData) => ({
    rows: [
      ['term', <Days key="term" from={effective_from} through={effective_through} />, null],
      ...taxRow(texts.includedTax, tax),
    ],
    total: [texts.premiumOfNewTerm, premium],
    currency,
  }),
  CancelPolicy: ({ effective_on, refund_amount, tax_refunded, refund_rule, currency }: CancellationData) => ({
    rows: [
      [
        'day',
        <>
          {texts.lastDayOfCover}: <Day day={effective_on} />, {labelOf(refund_rule).toLowerCase()}
        </>,
        null,
      ],
      ...taxRow(texts.taxReturned, tax_refunded),
    ],
    total: [texts.returnedToCustomer, refund_amount],
    currency,
  }),
  ChangePolicy: ({ effective_on, premium_difference, tax_difference, currency, terms }: ChangeData) => ({
    rows: [
      [
        'day',
        <>
          {texts.from} <Day day={effective_on} />
        </>,
        null,
      ],
      ...terms.flatMap(({ term_id, from, through, premium_before, premium }): Row[] => [
        [
          term_id,
          <>
            <Days from={from} through={through} />, {texts.before} {formatMoney(premium_before)}
          </>,
          premium,
        ],
      ]),
      ...taxRow(texts.tax, tax_difference),
    ],
    total: [texts.costsMore, premium_difference],
    currency,
  }),
};

/** Whether a command is previewed before it is sent, because it moves money. */
export function hasPreview(name: CommandName): boolean {
  return PREVIEWS[name] !== undefined;
}

/** Returns what the response of a preview says. */
export function previewOf(name: CommandName, response: unknown): Preview | undefined {
  return PREVIEWS[name]?.((response as { readonly data: never }).data);
}

/** The sum that moves, as the last line of a small table. It takes the focus: another Enter must not execute it. */
export function PreviewTable({ preview: { rows, total, currency } }: { readonly preview: Preview }) {
  const table = useRef<HTMLTableElement>(null);
  useEffect(() => table.current?.focus(), []);
  return (
    <table ref={table} tabIndex={-1} class="sum">
      <tbody>
        {rows.map(([name, title, amount]) => (
          <tr key={name}>
            <td>{title}</td>
            <td class="number">{amount === null ? '' : formatMoney(amount)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{total[0]}</th>
          <td class="number">{formatMoney(total[1], currency)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
