import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { labelOf } from '../format.ts';
import { replaceQuery, route } from '../route.ts';
import { texts } from '../texts.ts';

/**
 * Returns whether a date is typed completely: browsers report the years 0002, 0020 and 0202 while a person types 2026,
 * and take six digits.
 */
function isComplete(value: string): boolean {
  return value === '' || /^(19|[2-9]\d)\d\d-/.test(value);
}

interface FilterProps<Value> {
  readonly label: ComponentChildren;
  /** Parameter of the address. */
  readonly name: string;
  readonly value: Value;
}

interface DateFilterProps extends FilterProps<string> {
  readonly type?: 'date' | 'month';
}

/** Chooses a day or a month. */
export function DateFilter({ label, name, value, type = 'date' }: DateFilterProps) {
  return (
    <label>
      {label} <TypedInput type={type} value={value} onTyped={(typed) => replaceQuery({ [name]: typed || undefined })} />
    </label>
  );
}

interface TypedInputProps {
  readonly type: 'date' | 'month' | 'datetime-local';
  readonly value: string;
  readonly onTyped: (value: string) => void;
}

/** A date that keeps what is typed until it is complete: another rendering would write the old value back. */
function TypedInput({ type, value, onTyped }: TypedInputProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  return (
    <input
      type={type}
      step={type === 'datetime-local' ? '1' : undefined}
      value={typed}
      onInput={({ currentTarget }) => {
        setTyped(currentTarget.value);
        if (isComplete(currentTarget.value)) onTyped(currentTarget.value);
      }}
    />
  );
}

interface SelectFilterProps extends FilterProps<string> {
  readonly values: readonly string[];
  /** Labels of values that are not those of `labelOf`. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The value and the label of no filter. */
  readonly none?: readonly [value: string, label: string];
}

/** Chooses one of some values, or none. */
export function SelectFilter({ label, name, values, labels, value, none = ['', texts.all] }: SelectFilterProps) {
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
            {labels?.[one] ?? labelOf(one)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Returns the value of a parameter of the address if it is one of some values. */
export function chosenValue<T extends string>(name: string, values: readonly T[]): T | undefined {
  return values.find((value) => value === route.value.query[name]);
}

/** Writes into the address what a view shows by default, so that a colleague who opens it another day sees the same. */
export function useAddressDefaults(defaults: Readonly<Record<string, string>>): void {
  const missing = Object.entries(defaults).filter(([name]) => route.value.query[name] === undefined);
  useEffect(() => {
    if (missing.length > 0) replaceQuery(Object.fromEntries(missing));
  }, [JSON.stringify(missing)]);
}

/** Chooses an instant in UTC. It includes the whole typed second, because instants are shown to the second. */
export function InstantFilter({ label, name, value }: FilterProps<string | undefined>) {
  return (
    <label>
      {label}{' '}
      <TypedInput
        type="datetime-local"
        value={value?.slice(0, 19) ?? ''}
        onTyped={(typed) => {
          const seconds = typed.length === 16 ? `${typed}:00` : typed;
          replaceQuery({ [name]: typed === '' ? undefined : `${seconds}.999Z` });
        }}
      />{' '}
      UTC
    </label>
  );
}
