import type { Call, CallOptions, CommandOptions, Http } from './http.ts';
import type { Answer, Body, Item, Method, PathOf, PathParameters, Query } from './operation-types.ts';

/** Settings of a list. */
export interface ListOptions extends CallOptions {
  /** The most items; all by default. */
  readonly max?: number;
}

/** A format of a whole history or list. */
export type DownloadFormat = 'text/csv' | 'application/x-ndjson';

type Command = Exclude<Method, 'get'>;
type Parameters = Readonly<Record<string, string | number>>;

const LONGEST_PAGE = 100;

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
  ): Promise<Answer<P, 'get'>> {
    return (await this.http.send<Answer<P, 'get'>>(callOf('GET', path, parameters, query), options)).body;
  }

  /** Executes a command once, whatever is lost. @throws {SuretyError} */
  async send<M extends Command, P extends PathOf<M>>(
    [method, path]: readonly [M, P],
    parameters: PathParameters<P, M>,
    body: Body<P, M> | FormData | undefined,
    { preview, ...options }: CommandOptions & { readonly preview?: boolean } = {},
  ): Promise<Answer<P, M>> {
    const call = callOf(method.toUpperCase(), path, parameters, { preview });
    return (await this.http.send<Answer<P, M>>({ ...call, body: body as object | undefined }, options)).body;
  }

  /** Yields the items of all pages of a list. @throws {SuretyError} */
  async *list<P extends PathOf<'get'>>(
    path: P,
    parameters: PathParameters<P, 'get'>,
    query?: Query<P>,
    { max = Number.POSITIVE_INFINITY, ...options }: ListOptions = {},
  ): AsyncGenerator<Item<P>, void, undefined> {
    let left = max;
    const call = callOf('GET', path, parameters);
    let search: object | undefined = { limit: Math.min(LONGEST_PAGE, max), ...query };
    while (search !== undefined && left > 0) {
      const { body } = await this.http.send<Page<Item<P>>>({ ...call, query: search }, options);
      for (const item of body.results.flat() as Item<P>[]) {
        yield item;
        left -= 1;
        if (left <= 0) return;
      }
      search = queryOfNext(body);
    }
  }

  /** Opens a download, whose body is a stream. @throws {SuretyError} before the body begins */
  async download<P extends PathOf<'get'>>(
    path: P,
    parameters: PathParameters<P, 'get'>,
    query: Query<P> | undefined,
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
 * Returns the query of the next page, undefined after the last one. The address in `next` is the public one of the service, which this
 * client may reach by another.
 */
export function queryOfNext({ next }: Pick<Page<unknown>, 'next'>): object | undefined {
  return next === null ? undefined : Object.fromEntries(new URL(next, 'http://service').searchParams);
}

/** @throws {TypeError} for a parameter that would lead to another path */
function callOf(method: string, path: string, parameters: object, query?: object): Call {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String((parameters as Parameters)[name]);
    if (['', '.', '..'].includes(value)) throw new TypeError(`${name} must not be ${JSON.stringify(value)}`);
    return encodeURIComponent(value);
  });
  return { method, path: filled, query };
}
