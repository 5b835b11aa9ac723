import type { ComponentChildren } from 'preact';
import { day, instant, utc, words } from '../format.ts';
import { texts } from '../texts.ts';

/** A list of names and values. Values that are not known are shown as a dash. */
export function Fields({ fields }: { readonly fields: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl>
      {fields.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd dir="auto">{value === null || value === undefined || value === '' ? '–' : value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Instant({ at, zone }: { readonly at: string | null; readonly zone: string }) {
  if (at === null) return <span>–</span>;
  return (
    <time dateTime={at}>
      {instant(at, zone)} <span class="quiet">{zone === 'UTC' ? 'UTC' : `(${utc(at)})`}</span>
    </time>
  );
}

export function Day({ of }: { readonly of: string | null }) {
  return of === null ? <span>–</span> : <time dateTime={of}>{day(of)}</time>;
}

export function Tag({ name }: { readonly name: string }) {
  return <span class={`tag tag-${name}`}>{words(name)}</span>;
}

/** The kind of a transaction. The reversal of a claim payment is booked as a payment with the other sign. */
export function TransactionKind({
  of: { kind, amount },
}: {
  readonly of: { readonly kind: string; readonly amount: string };
}) {
  const isReversal = kind === 'claim_payment' && !amount.startsWith('-');
  return isReversal ? <span class="tag">{texts.claimPaymentReversed}</span> : <Tag name={kind} />;
}

/** Any JSON value, as a tree. Texts are shown, never run. */
export function Json({ value }: { readonly value: unknown }) {
  if (value === undefined) return <span class="quiet">{texts.absent}</span>;
  if (value === null) return <span class="quiet">null</span>;
  if (typeof value !== 'object') return <bdi>{typeof value === 'string' ? value : JSON.stringify(value)}</bdi>;
  const entries = Object.entries<unknown>({ ...value });
  if (entries.length === 0) return <span class="quiet">{Array.isArray(value) ? '[]' : '{}'}</span>;
  return (
    <ul class="json">
      {entries.map(([name, member]) => (
        <li key={name}>
          <span class="name">{Array.isArray(value) ? `${Number(name) + 1}` : name}</span> <Json value={member} />
        </li>
      ))}
    </ul>
  );
}

/** The request that asks the API for the same. */
export function Curl({ path, accept }: { readonly path: string; readonly accept?: string }) {
  const header = accept === undefined ? '' : ` -H 'Accept: ${accept}'`;
  const command = `curl -s "${location.origin}${path}" -H "X-API-Key: $KEY"${header}`;
  return (
    <details class="curl">
      <summary>{texts.asCurl}</summary>
      <code>{command}</code>
      <button type="button" onClick={() => void navigator.clipboard?.writeText(command)}>
        {texts.copy}
      </button>
    </details>
  );
}

/** Saves a download under its name. */
export function save(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
