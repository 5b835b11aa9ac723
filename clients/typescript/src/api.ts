import type { Call, CallOptions, ChangeOptions, Http } from './http.ts';
import { searchOf } from './messages.ts';
import type { Body, Item, Method, PathOf, PathParameters, Query, ResponseBody } from './operation-types.ts';

/** Settings of a list. Limits and retries are those of each page. */
export interface ListOptions extends CallOptions {
  /** The most items; all by default. */
  readonly max?: number | undefined;
}

/** A format of a whole history or list. */
export type DownloadFormat = 'text/csv' | 'application/x-ndjson';

/** The query of a download, which has no pages. */
export type DownloadQuery<P extends PathOf<'get'>> = Omit<Query<P>, 'limit' | 'offset' | 'after' | 'before'>;

type Command = Exclude<Method, 'get'>;

const MAX_PAGE = 100;
/** Base of a `next` without an origin. */
const SERVICE = 'http://service';

/** Calls the operations of the API by their paths, which the compiler compares with the API document. */
export class Api {
  readonly http: Http;

  constructor(http: Http) {
    this.http = http;
  }

  /** Gets a resource. @throws {SuretyError} */
  async get<P extends PathOf<'get'>>(
    path: P,
    parameters: PathParameters<P, 'get'>,
    query?: Query<P>,
    options?: CallOptions,
  ): Promise<ResponseBody<P, 'get'>> {
    return (await this.http.send<ResponseBody<P, 'get'>>(callOf('GET', path, parameters, query), options)).body;
  }

  /** Executes a command once, whatever is lost. @throws {SuretyError} */
  async send<M extends Command, P extends PathOf<M>>(
    [method, path]: readonly [M, P],
    parameters: PathParameters<P, M>,
    body: Body<P, M> | FormData | undefined,
    options: ChangeOptions = {},
    query?: Query<P, M>,
  ): Promise<ResponseBody<P, M>> {
    const call = callOf(method.toUpperCase(), path, parameters, query);
    return (await this.http.send<ResponseBody<P, M>>({ ...call, body: body as object | undefined }, options)).body;
  }

  /** Yields the items of all pages of a list. @throws {SuretyError} */
  list<P extends PathOf<'get'>>(
    path: P,
    parameters: PathParameters<P, 'get'>,
    query?: Query<P>,
    options: ListOptions = {},
  ): AsyncGenerator<Item<P>, void, undefined> {
    return takeItems(this.pages(path, parameters, query, options), options.max);
  }

  /** Yields the pages of a list, of a size for `max` items. @throws {SuretyError} */
  async *pages<P extends PathOf<'get'>>(
    path: P,
    parameters: PathParameters<P, 'get'>,
    query?: Query<P>,
    { max = MAX_PAGE, ...options }: ListOptions = {},
  ): AsyncGenerator<readonly Item<P>[], void, undefined> {
    const call = callOf('GET', path, parameters);
    let search: object | undefined = { limit: Math.max(1, Math.min(MAX_PAGE, Math.ceil(max))), ...query };
    while (search !== undefined) {
      const page: { body: Page<Item<P>> } = await this.http.send({ ...call, query: search }, options, isPageOf(search));
      yield page.body.results.flat() as Item<P>[];
      search = queryOfNext(page.body);
    }
  }

  /** Opens a download, whose body is a stream. @throws {SuretyError} before the body begins */
  async download<P extends PathOf<'get'>>(
    path: P,
    parameters: PathParameters<P, 'get'>,
    query: DownloadQuery<P> | undefined,
    { accept, ...options }: CallOptions & { readonly accept: string },
  ): Promise<Response> {
    return await this.http.open({ ...callOf('GET', path, parameters, query), accept }, options);
  }
}

/** A page of a list; some lists hold their items in one more array. */
export interface Page<T> {
  readonly results: readonly (T | readonly T[])[];
  readonly next: string | null;
}

/**
 * Returns a check of the page of a query: a body without a page would end a list too early, and one whose `next` names
 * itself never.
 */
export function isPageOf(query: object): (body: unknown) => boolean {
  const own = sortedSearchOf(query);
  return (body) => {
    if (typeof body !== 'object' || body === null) return false;
    const { results, next } = body as { readonly results?: unknown; readonly next?: unknown };
    if (!Array.isArray(results)) return false;
    if (next === null) return true;
    if (typeof next !== 'string' || !URL.canParse(next, SERVICE)) return false;
    return sortedSearchOf(queryOfNext({ next }) ?? {}) !== own;
  };
}

function sortedSearchOf(query: object): string {
  const search = new URLSearchParams(searchOf(query));
  search.sort();
  return search.toString();
}

/** Yields the items of pages; no page is requested after the last wanted item. */
export async function* takeItems<T>(
  pages: AsyncIterable<readonly T[]>,
  max = Number.POSITIVE_INFINITY,
): AsyncGenerator<T, void, undefined> {
  let remaining = max;
  if (!(remaining > 0)) return;
  for await (const items of pages) {
    for (const item of items) {
      yield item;
      remaining -= 1;
      if (remaining <= 0) return;
    }
  }
}

/**
 * Returns the query of the next page, undefined after the last one. The address in `next` is the public one of the
 * service, which this client may reach by another.
 */
export function queryOfNext({ next }: Pick<Page<unknown>, 'next'>): object | undefined {
  return next === null ? undefined : Object.fromEntries(new URL(next, SERVICE).searchParams);
}

/** @throws {TypeError} for a parameter that is missing or would lead to another path */
function callOf(method: string, path: string, parameters: object, query?: object): Call {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = (parameters as Readonly<Record<string, unknown>>)[name];
    const isGiven = typeof value === 'number' || typeof value === 'string';
    if (!isGiven || ['', '.', '..'].includes(String(value)))
      throw new TypeError(`${name} must be given, and not ${JSON.stringify(value)}`);
    return encodeURIComponent(value);
  });
  return { method, path: filled, query };
}
