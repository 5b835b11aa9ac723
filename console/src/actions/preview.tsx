import { useEffect, useRef } from 'preact/hooks';
import type { SuretyClient } from '../../../clients/typescript/src/index.ts';
import { formatDayOfYear, formatMoney, labelOf } from '../format.ts';
import { texts } from '../texts.ts';
import type { CommandName } from './commands.ts';

type Row = readonly [title: string, amount: string | null];

/** What a command would do: steps, and the sum that moves. */
export interface Preview {
  readonly rows: readonly Row[];
  readonly total: readonly [title: string, amount: string];
  readonly currency: string;
}

/** What a command on a policy answers, also as a preview. */
type Answer<Name extends 'renew' | 'cancel' | 'change'> = Awaited<ReturnType<SuretyClient['policies'][Name]>>['data'];

function taxRow(title: string, tax: string | null): readonly Row[] {
  return tax === null ? [] : [[title, tax]];
}

const PREVIEWS: Partial<Readonly<Record<CommandName, (data: never) => Preview>>> = {
  RenewPolicy: ({ effective_from, effective_through, premium, tax, currency }: Answer<'renew'>) => ({
    rows: [[daysOf(effective_from, effective_through), null], ...taxRow(texts.includedTax, tax)],
    total: [texts.premiumOfNewTerm, premium],
    currency,
  }),
  CancelPolicy: ({ effective_on, refund_amount, tax_refunded, refund_rule, currency }: Answer<'cancel'>) => ({
    rows: [
      [`${texts.lastDayOfCover}: ${formatDayOfYear(effective_on)}, ${labelOf(refund_rule ?? '–').toLowerCase()}`, null],
      ...taxRow(texts.taxReturned, tax_refunded),
    ],
    total: [texts.returnedToCustomer, refund_amount],
    currency,
  }),
  ChangePolicy: ({ effective_on, premium_difference, tax_difference, currency, terms }: Answer<'change'>) => ({
    rows: [
      [`${texts.from} ${formatDayOfYear(effective_on)}`, null],
      ...terms.map(
        ({ from, through, premium_before, premium }): Row => [
          `${daysOf(from, through)}, ${texts.before} ${formatMoney(premium_before)}`,
          premium,
        ],
      ),
      ...taxRow(texts.tax, tax_difference),
    ],
    total: [texts.costsMore, premium_difference],
    currency,
  }),
};

function daysOf(from: string, through: string): string {
  return `${formatDayOfYear(from)} – ${formatDayOfYear(through)}`;
}

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
        {rows.map(([title, amount]) => (
          <tr key={title}>
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
