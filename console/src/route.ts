import { signal } from '@preact/signals';

/**
 * A view and its parameters, as the fragment of the address names them: ids, days, instants and filters, so that it can
 * be sent to a colleague.
 */
interface Route {
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  /** Names of parameters that are no day, month or instant. */
  readonly ignored: readonly string[];
}

const PARAMETER_FORMATS: readonly (readonly [RegExp, RegExp])[] = [
  [/^(as_of|other|from|through|on)$/, /^\d{4}-\d\d-\d\d$/],
  [/^(other_)?known_at$/, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/],
  [/^month$/, /^\d{4}-(0[1-9]|1[0-2])$/],
];

/**
 * A fragment that is no path, such as a ticket, is that of the first page.
 * @throws {URIError} when the fragment was cut in the middle of an encoded character
 */
function parse(hash: string): Route {
  const [path = '', search = ''] = hash.startsWith('#/') ? hash.slice(2).split('?') : [];
  const parameters = [...new URLSearchParams(search)];
  return {
    path: path.split('/').filter(Boolean).map(decodeURIComponent),
    query: Object.fromEntries(parameters.filter(([name, value]) => isValid(name, value))),
    ignored: parameters.flatMap(([name, value]) => (isValid(name, value) ? [] : [name])),
  };
}

/** A parameter that is no day, instant or month is left out: an address may be typed. */
function isValid(name: string, value: string): boolean {
  return PARAMETER_FORMATS.every(([names, format]) => !names.test(name) || (format.test(value) && isDate(value)));
}

/** Returns false for a day that its month does not have, which `Date` moves to the next month. */
function isDate(value: string): boolean {
  const time = Date.parse(value);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value.slice(0, 10));
}

function safeParse(hash: string): Route {
  try {
    return parse(hash);
  } catch {
    return { path: [], query: {}, ignored: [] };
  }
}

export const route = signal<Route>(safeParse(location.hash));

let addressTimer: ReturnType<typeof setTimeout> | undefined;

addEventListener('hashchange', () => {
  clearTimeout(addressTimer);
  route.value = safeParse(location.hash);
});

type Query = Readonly<Record<string, string | undefined>>;

/** Returns the parameters of an address with their question mark. Those without a value are left out. */
export function searchOf(query: Query): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => !['', undefined].includes(pair[1]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

/** Returns the fragment of a view. */
export function hrefOf(path: readonly string[], query: Query = {}): string {
  return `#/${path.map(encodeURIComponent).join('/')}${searchOf(query)}`;
}

const ADDRESS_DEBOUNCE_MS = 200;

/**
 * Changes parameters of the current view without a new entry in the history of the browser. The address follows after a
 * pause, because browsers refuse many changes of it in a row, as a slider makes them.
 */
export function replaceQuery(changes: Query): void {
  const { path, query } = route.value;
  const replaced = location.hash;
  const hash = hrefOf(path, { ...query, ...changes });
  route.value = safeParse(hash);
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => {
    // A link may have changed it, though its event has not come yet.
    if (location.hash === replaced) history.replaceState(null, '', hash);
  }, ADDRESS_DEBOUNCE_MS);
}

/** Opens a view. */
export function navigate(path: readonly string[], query: Query = {}): void {
  clearTimeout(addressTimer);
  location.hash = hrefOf(path, query);
}
