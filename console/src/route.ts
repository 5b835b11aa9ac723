import { signal } from '@preact/signals';

/** What the fragment of the address names: a view, and the parameters of its state. Ids only, so that it can be sent to a colleague. */
export interface Route {
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

function parse(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  return {
    path: path.split('/').filter(Boolean).map(decodeURIComponent),
    query: Object.fromEntries(new URLSearchParams(search)),
  };
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
