import { replaceQuery, route } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';

/** A browser reports the years 0002, 0020 and 0202 while a person types 2026. */
function isWholeDay(value: string): boolean {
  return value === '' || value >= '1900';
}

/** Changes a day of the address, once it is typed. */
export function setDay(name: string, value: string): void {
  if (isWholeDay(value)) replaceQuery({ [name]: value || undefined });
}

export function DayFilter({
  label,
  name,
  value,
}: {
  readonly label: string;
  readonly name: string;
  readonly value: string;
}) {
  return (
    <label>
      {label} <input type="date" value={value} onChange={({ currentTarget }) => setDay(name, currentTarget.value)} />
    </label>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly name: string;
  readonly values: readonly string[];
  /** The value for everything. */
  readonly all?: string;
  readonly initial?: string;
}

export function Choice({ label, name, values, all = '', initial = '' }: ChoiceProps) {
  return (
    <label>
      {label}{' '}
      <select
        value={route.value.query[name] ?? initial}
        onChange={({ currentTarget }) => replaceQuery({ [name]: currentTarget.value || undefined })}
      >
        <option value={all}>{texts.all}</option>
        {values.map((value) => (
          <option key={value} value={value}>
            {value.replaceAll('_', ' ')}
          </option>
        ))}
      </select>
    </label>
  );
}

/** An instant in UTC. */
export function InstantFilter({
  label,
  name,
  value,
}: {
  readonly label: string;
  readonly name: string;
  readonly value: string | undefined;
}) {
  return (
    <label>
      {label}{' '}
      <input
        type="datetime-local"
        step="1"
        value={value?.slice(0, 19) ?? ''}
        onChange={({ currentTarget: { value: typed } }) => {
          if (!isWholeDay(typed)) return;
          const seconds = typed.length === 16 ? `${typed}:00` : typed;
          replaceQuery({ [name]: typed === '' ? undefined : `${seconds}.000Z` });
        }}
      />{' '}
      UTC
    </label>
  );
}

/** Whether a list shows things of test mode: those of the key's environment, or, with a key of the platform, what it chooses. */
export function isTestShown({ me }: Session): boolean {
  return me.environment?.test_mode ?? route.value.query['test_mode'] === 'true';
}

/** Chooses test mode, with a key of the platform. */
export function ModeFilter({ session }: { readonly session: Session }) {
  if (session.me.merchant !== null) return null;
  return (
    <label>
      <input
        type="checkbox"
        checked={isTestShown(session)}
        onChange={({ currentTarget }) => replaceQuery({ test_mode: currentTarget.checked ? 'true' : undefined })}
      />{' '}
      {texts.testMode}
    </label>
  );
}
