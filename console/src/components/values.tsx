import type { ComponentChildren } from 'preact';
import { formatDay, formatDayOfYear, formatInstantWithUtc, formatMoney, labelOf, memberLabel } from '../format.ts';
import { texts } from '../texts.ts';

/** Lists names with their values. A value that is not known is a dash. Every value has its own direction of writing. */
export function Fields({ fields }: { readonly fields: Readonly<Record<string, ComponentChildren>> }) {
  return (
    <dl class="facts">
      {Object.entries(fields).map(([name, value]) => (
        <div key={name}>
          <dt class="small quiet">{name}</dt>
          <dd dir="auto">{value === null || value === undefined || value === false || value === '' ? '–' : value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Instant({ at, zone }: { readonly at: string | null; readonly zone: string }) {
  return at === null ? <span>–</span> : <time dateTime={at}>{formatInstantWithUtc(at, zone)}</time>;
}

export function Day({ day }: { readonly day: string | null }) {
  return day === null ? <span>–</span> : <time dateTime={day}>{formatDayOfYear(day)}</time>;
}

/** Shows the first and the last day of something. */
export function Days({ from, through }: { readonly from: string; readonly through: string }) {
  return (
    <span>
      <Day day={from} /> – <Day day={through} />
    </span>
  );
}

interface Booking {
  readonly kind: string;
  readonly amount: string;
}

/** Names the kind of a transaction. The reversal of a claim payment is booked as a payment with the other sign. */
export function transactionKind({ kind, amount }: Booking): string {
  return kind === 'claim_payment' && !amount.startsWith('-') ? texts.claimPaymentReversed : labelOf(kind);
}

export function TransactionKind({ transaction }: { readonly transaction: Booking }) {
  return <span class="badge plain">{transactionKind(transaction)}</span>;
}

/** Shows a JSON value as nested lists, with days, instants and amounts as elsewhere. */
export function Json({ value }: { readonly value: unknown }) {
  if (value === undefined) return <span class="quiet">{texts.absent}</span>;
  if (value === null) return <span class="quiet">–</span>;
  if (typeof value !== 'object')
    return <bdi>{typeof value === 'string' ? formatText(value) : JSON.stringify(value)}</bdi>;
  const entries = Object.entries<unknown>({ ...value });
  if (entries.length === 0) return <span class="quiet">{texts.emptyValue}</span>;
  return (
    <ul class="json">
      {entries.map(([name, member]) => (
        <li key={name}>
          <span class="quiet">{labelOf(memberLabel(name))}</span> <Json value={member} />
        </li>
      ))}
    </ul>
  );
}

function formatText(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return formatDay(text);
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return formatInstantWithUtc(text, 'UTC');
  return /^-?\d+\.\d\d$/.test(text) ? formatMoney(text) : text;
}
