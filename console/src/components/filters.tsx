import { useEffect } from 'preact/hooks';
import { labelOf } from '../format.ts';
import { replaceQuery, route } from '../route.ts';
import { texts } from '../texts.ts';

/** Returns whether a date is typed completely: browsers report the years 0002, 0020 and 0202 while a person types 2026. */
function isComplete(value: string): boolean {
  return value === '' || value >= '1900';
}

/** Sets a day or month of the address, once it is typed. */
export function setDay(name: string, value: string): void {
  if (isComplete(value)) replaceQuery({ [name]: value || undefined });
}

interface DateFilterProps {
  readonly label: string;
  /** Parameter of the address. */
  readonly name: string;
  readonly value: string;
  readonly type?: 'date' | 'month';
}

export function DateFilter({ label, name, value, type = 'date' }: DateFilterProps) {
  return (
    <label>
      {label} <input type={type} value={value} onChange={({ currentTarget }) => setDay(name, currentTarget.value)} />
    </label>
  );
}

interface SelectFilterProps {
  readonly label: string;
  /** Parameter of the address. */
  readonly name: string;
  readonly values: readonly string[];
  readonly value: string;
  /** The value and the label of no filter. */
  readonly none?: readonly [value: string, label: string];
}

export function SelectFilter({ label, name, values, value, none = ['', texts.all] }: SelectFilterProps) {
  return (
    <label>
      {label}{' '}
      <select
        value={value}
        onChange={({ currentTarget }) => replaceQuery({ [name]: currentTarget.value || undefined })}
      >
        <option value={none[0]}>{none[1]}</option>
        {values.map((one) => (
          <option key={one} value={one}>
            {labelOf(one)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Returns the value of a parameter of the address if it is one of some values. */
export function chosen<T extends string>(name: string, values: readonly T[]): T | undefined {
  return values.find((value) => value === route.value.query[name]);
}

/** Writes into the address what a view shows by default, so that a colleague who opens it another day sees the same. */
export function useAddressDefaults(defaults: Readonly<Record<string, string>>): void {
  useEffect(() => {
    const { query } = route.value;
    if (Object.keys(defaults).some((name) => query[name] === undefined)) replaceQuery({ ...defaults, ...query });
  }, [JSON.stringify(defaults)]);
}

interface InstantFilterProps {
  readonly label: string;
  /** Parameter of the address. */
  readonly name: string;
  readonly value: string | undefined;
}

/** Chooses an instant in UTC. It includes the whole typed second, because instants are shown to the second. */
export function InstantFilter({ label, name, value }: InstantFilterProps) {
  return (
    <label>
      {label}{' '}
      <input
        type="datetime-local"
        step="1"
        value={value?.slice(0, 19) ?? ''}
        onChange={({ currentTarget: { value: typed } }) => {
          if (!isComplete(typed)) return;
          const seconds = typed.length === 16 ? `${typed}:00` : typed;
          replaceQuery({ [name]: typed === '' ? undefined : `${seconds}.999Z` });
        }}
      />{' '}
      UTC
    </label>
  );
}
