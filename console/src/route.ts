import { signal } from '@preact/signals';

/** What the fragment of the address names: a view, and the parameters of its state: ids, days, instants and filters, so that it can be sent to a colleague. */
export interface Route {
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

function parse(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  return {
    path: path.split('/').filter(Boolean).map(decodeURIComponent),
    query: Object.fromEntries([...new URLSearchParams(search)].filter(([name, value]) => isValid(name, value))),
  };
}

const FORMS: readonly (readonly [RegExp, RegExp])[] = [
  [/^(as_of|other|from|through|on)$/, /^\d{4}-\d\d-\d\d$/],
  [/^(other_)?known_at$/, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/],
  [/^month$/, /^\d{4}-(0[1-9]|1[0-2])$/],
];

/** A parameter that is no day, instant or month is left out: an address may be typed. */
function isValid(name: string, value: string): boolean {
  return FORMS.every(([names, form]) => !names.test(name) || (form.test(value) && !Number.isNaN(Date.parse(value))));
}

function safeParse(hash: string): Route {
  try {
    return parse(hash);
  } catch {
    // A fragment that was cut in the middle of an encoded character names nothing.
    return { path: [], query: {} };
  }
}

export const route = signal<Route>(safeParse(location.hash));

addEventListener('hashchange', () => {
  route.value = safeParse(location.hash);
});

/** Returns the fragment of a view. Parameters without a value are left out. */
export function hrefOf(path: readonly string[], query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => !['', undefined].includes(pair[1]));
  const search = new URLSearchParams(given).toString();
  return `#/${path.map(encodeURIComponent).join('/')}${search === '' ? '' : `?${search}`}`;
}

/** Changes parameters of the shown view without a new entry in the history of the browser. */
export function replaceQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const { path, query } = route.value;
  history.replaceState(null, '', hrefOf(path, { ...query, ...changes }));
  route.value = safeParse(location.hash);
}

export function go(path: readonly string[], query: Readonly<Record<string, string | undefined>> = {}): void {
  location.hash = hrefOf(path, query);
}
