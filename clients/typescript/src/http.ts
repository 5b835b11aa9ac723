import { encodeBody, parseJson, randomId, readFailure, retryAfterOf, searchOf, sleep } from './messages.ts';
import { errorOf, type FailedRequest, SuretyError } from './errors.ts';

export interface ClientOptions {
  /** The address of the service. Default: the environment variable `SURETY_URL`; in a page, the origin of the page. */
  readonly url?: string | undefined;
  /**
   * The API key. Default: the environment variable `SURETY_KEY`. Null in a page of the service, which is signed in by
   * the cookie of a session.
   */
  readonly key?: string | null | undefined;
  /** Limit of one attempt, in milliseconds; 30,000 by default. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Limit of a call with its retries, in milliseconds; 60,000 by default. */
  readonly callTimeoutMs?: number | undefined;
  /** How long after its start a call is still retried, in milliseconds; by default `callTimeoutMs`. */
  readonly retryForMs?: number | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

type TimeLimit = 'attemptTimeoutMs' | 'callTimeoutMs' | 'retryForMs';

/** Settings of one call. */
export interface CallOptions extends Pick<ClientOptions, TimeLimit> {
  /**
   * Ends the call, which then rejects with the reason of the signal. A command with a signal needs a key of its own to
   * be continued.
   */
  readonly signal?: AbortSignal | undefined;
  /** Called before each retry. */
  readonly onRetry?: ((error: SuretyError, waitMs: number) => void) | undefined;
}

/** Settings of a command. */
export interface CommandOptions extends CallOptions {
  /** Default: a random one. The same key and body execute the command once, also from another process. */
  readonly idempotencyKey?: string | undefined;
}

/** Settings of a command that changes a resource. */
export interface ChangeOptions extends CommandOptions {
  /** Executes the command only if this resource has not changed since this client got it by `get`; or its `etagOf`. */
  readonly ifMatch?: object | string | undefined;
}

export interface Call {
  readonly method: string;
  /** Path with its parameters filled in, from the root of the API. */
  readonly path: string;
  readonly query?: object | undefined;
  readonly body?: object | undefined;
  readonly accept?: string;
  /** The service may wait for so long before it responds, in milliseconds. */
  readonly waitMs?: number;
}

/** A response with JSON. */
export interface JsonResponse<T> {
  readonly body: T;
  /** `Retry-After` of a success, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  readonly position: string | undefined;
  /** The command had been executed before. */
  readonly isReplayed: boolean;
}

const RETRIED_STATUSES = [408, 429, 502, 503, 504];
const MAX_WAIT_MS = 5_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;
/** Least pause after a 503, whatever `Retry-After` says: the service is overloaded or starts. */
const MIN_UNAVAILABLE_MS = 200;
/** The longest delay of a timer. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
const JSON_TYPE = 'application/json';
const NOTHING = { retryAfterMs: undefined, position: undefined };

/**
 * Sends requests with retries. A command keeps its idempotency key and its bytes through all of them, so that it is
 * executed once. A read names the highest position that this client has received, so that it shows what the client has
 * written.
 */
export class Http {
  readonly #base: string;
  readonly #identity: Readonly<Record<string, string>>;
  readonly #options: ClientOptions;
  readonly #tags = new WeakMap<object, string>();
  readonly #incomplete = new WeakSet<object>();
  #position: bigint | undefined;

  constructor(options: ClientOptions) {
    const { url = environmentVariable('SURETY_URL') ?? originOfPage(), key = environmentVariable('SURETY_KEY') } =
      options;
    this.#base = baseOf(url);
    if (key === undefined || key === '') throw new TypeError('key is missing: give it, or set SURETY_KEY');
    // The error of `Headers` would contain the key.
    if (key !== null && !/^[\x21-\x7e]+$/.test(key)) throw new TypeError('key has characters that no key has');
    this.#identity = key === null ? { 'X-Surety-Console': '1' } : { 'X-API-Key': key };
    this.#options = options;
  }

  /**
   * Sends a request and reads its JSON.
   * @param isExpected whether the body is one of the service
   * @throws {SuretyError}
   */
  async send<T>(
    call: Call,
    options: ChangeOptions = {},
    isExpected: (body: unknown) => boolean = () => true,
  ): Promise<JsonResponse<T>> {
    return await this.#send(call, options, async (response, request) => {
      const { headers } = response;
      if (response.status === 204) return { body: undefined as T, isReplayed: false, ...NOTHING };
      const body = parseJson(await response.text());
      // Without a length, a response that breaks off is known by its JSON only.
      if (body === undefined && isJson(response)) throw new Error('the response breaks off');
      if (body === undefined || !isExpected(body)) throw errorOf(request, unexpectedResponse(response));
      if (typeof body === 'object' && body !== null) {
        const tag = headers.get('etag');
        if (tag !== null) this.#tags.set(body, tag);
        if (headers.get('surety-incomplete') === 'true') this.#incomplete.add(body);
      }
      const position = headers.get('surety-position') ?? undefined;
      const isReplayed = headers.get('idempotent-replayed') === 'true';
      return { body: body as T, retryAfterMs: retryAfterOf(response), position, isReplayed };
    });
  }

  /**
   * Sends a request. The body of the response is a stream, which is neither repeated nor limited in time.
   * @throws {SuretyError}
   */
  async open(call: Call, options: CallOptions = {}): Promise<Response> {
    return await this.#send(call, options, async (response) => response);
  }

  /** Returns the `ETag` of a resource that this client got by `get`; undefined for any other value. */
  etagOf(resource: object): string | undefined {
    return this.#tags.get(resource);
  }

  /** Returns whether there may be more than these results of a search. */
  isIncomplete(results: object): boolean {
    return this.#incomplete.has(results);
  }

  async #send<T>(
    call: Call,
    options: ChangeOptions,
    read: (response: Response, request: FailedRequest) => Promise<T>,
  ): Promise<T> {
    const isRead = call.method === 'GET';
    const address = `${this.#base}${call.path}`;
    const { headers, body, idempotencyKey, requestId } = await this.#requestOf(call, options);
    const request: FailedRequest = { method: call.method, url: address, requestId, idempotencyKey };
    const limit = (name: TimeLimit, fallback: number): number => {
      const ms = options[name] ?? this.#options[name] ?? fallback;
      if (!(ms > 0)) throw new TypeError(`${name} must be a number above 0`);
      return ms + (call.waitMs ?? 0);
    };
    const start = performance.now();
    const callMs = limit('callTimeoutMs', 60_000);
    const end = start + callMs;
    const retryEnd = Math.min(end, start + limit('retryForMs', callMs));
    let lastError: SuretyError | undefined;
    let namesPosition = isRead;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      const position = namesPosition ? this.#position : undefined;
      if (position === undefined) headers.delete('Surety-Min-Position');
      else headers.set('Surety-Min-Position', String(position));
      const timeoutMs = Math.min(limit('attemptTimeoutMs', 30_000), end - performance.now(), MAX_TIMEOUT_MS);
      const init = { method: call.method, headers, ...(body === undefined ? {} : { body }) };
      const attempt = { url: `${address}${searchOf(call.query)}`, init, timeoutMs: Math.max(1, timeoutMs), lastError };
      const outcome = await this.#attempt(attempt, { options, request, read });
      if ('result' in outcome) return outcome.result;
      const { error, retryAfterMs } = outcome;
      if (position !== undefined && isPositionLost(error, position)) {
        // The end of the log covers what this client has written since.
        if (this.#position === position) this.#position = headOf(error);
        namesPosition = this.#position !== undefined && this.#position < position;
        options.onRetry?.(error, 0);
        continue;
      }
      if (retryAfterMs === undefined) throw error;
      const leastMs = error.status === 503 ? Math.max(retryAfterMs, MIN_UNAVAILABLE_MS) : retryAfterMs;
      const waitMs = Math.max(leastMs, pause * (0.5 + Math.random() / 2));
      // A call without an end waits as long as the service asks.
      if ((waitMs > MAX_WAIT_MS && retryEnd < Infinity) || performance.now() + waitMs >= retryEnd) throw error;
      lastError = error;
      options.onRetry?.(error, waitMs);
      await sleep(Math.min(waitMs, MAX_TIMEOUT_MS), options.signal);
    }
  }

  /** Makes what all attempts of a call have in common. @throws {TypeError} for a value that cannot be sent */
  async #requestOf({ method, body: content, accept = JSON_TYPE }: Call, { idempotencyKey, ifMatch }: ChangeOptions) {
    const requestId = randomId();
    const key = method === 'GET' ? undefined : (idempotencyKey ?? randomId());
    if (key !== undefined && !/^[\x20-\x7e]+$/.test(key))
      throw new TypeError('idempotencyKey must have printable ASCII characters only');
    const { contentType, body } = await encodeBody(content);
    const headers = new Headers({ ...this.#identity, 'X-Request-Id': requestId, Accept: accept });
    if (contentType !== undefined) headers.set('Content-Type', contentType);
    if (key !== undefined) headers.set('Idempotency-Key', key);
    if (ifMatch !== undefined) headers.set('If-Match', this.#tagOf(ifMatch));
    return { headers, body, idempotencyKey: key, requestId };
  }

  /** Resolves with the result, or with the error and how long to wait before a retry, if one is allowed. */
  async #attempt<T>(
    { url, init, timeoutMs, lastError }: Attempt,
    { options: { signal }, request, read }: AttemptContext<T>,
  ): Promise<{ readonly result: T } | { readonly error: SuretyError; readonly retryAfterMs: number | undefined }> {
    signal?.throwIfAborted();
    const controller = new AbortController();
    const timer = setTimeout(
      () => controller.abort(new Error(`no response in ${Math.round(timeoutMs)} ms`)),
      timeoutMs,
    );
    const abort = (): void => controller.abort(signal?.reason);
    signal?.addEventListener('abort', abort);
    let isStream = false;
    try {
      const send = this.#options.fetch ?? fetch;
      const response = await send(url, { ...init, redirect: 'manual', signal: controller.signal });
      this.#notePosition(response);
      if (!response.ok) {
        const failure = (await readFailure(response)) ?? unexpectedResponse(response);
        const isRetried = RETRIED_STATUSES.includes(response.status);
        const error = errorOf(request, failure);
        return { error, retryAfterMs: isRetried ? (retryAfterOf(response) ?? 0) : undefined };
      }
      const result = await read(response, request);
      // A stream goes on after the attempt, and the signal still ends it.
      isStream = (result as unknown) === response;
      return { result };
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof SuretyError) throw cause;
      return { error: errorOf(request, noResponse(cause, lastError)), retryAfterMs: 0 };
    } finally {
      clearTimeout(timer);
      if (!isStream) signal?.removeEventListener('abort', abort);
    }
  }

  #notePosition(response: Response): void {
    const position = response.headers.get('surety-position');
    if (position === null || !isPosition(position)) return;
    if (this.#position === undefined || BigInt(position) > this.#position) this.#position = BigInt(position);
  }

  #tagOf(resource: object | string): string {
    const tag = typeof resource === 'string' ? resource : this.#tags.get(resource);
    if (tag === undefined) throw new TypeError('ifMatch must be a resource that this client got by `get`, or an ETag');
    return tag;
  }
}

interface Attempt {
  readonly url: string;
  readonly init: RequestInit;
  readonly timeoutMs: number;
  readonly lastError: SuretyError | undefined;
}

interface AttemptContext<T> {
  readonly options: CallOptions;
  readonly request: FailedRequest;
  readonly read: (response: Response, request: FailedRequest) => Promise<T>;
}

/**
 * Returns whether the log does not contain a position: it was restored or moved. Otherwise only the read models lag.
 */
function isPositionLost(error: SuretyError, position: bigint): boolean {
  return error.code === 'position_not_reached' && !((headOf(error) ?? -1n) >= position);
}

/** Returns the position of the newest event. */
function headOf({ problem: { head } }: SuretyError): bigint | undefined {
  return typeof head === 'string' && isPosition(head) ? BigInt(head) : undefined;
}

function isPosition(text: string): boolean {
  return /^\d{1,18}$/.test(text);
}

function isJson({ headers }: Response): boolean {
  return headers.get('content-type')?.includes('json') === true;
}

function unexpectedResponse({ status, headers }: Response) {
  const type = headers.get('content-type') ?? 'no content type';
  return { status, code: 'unexpected_response', detail: `the response is ${status} with ${type}, not one of Surety` };
}

/** @param lastError of an earlier attempt of the call, which may say more */
function noResponse(cause: unknown, lastError: SuretyError | undefined) {
  const reason = reasonOf(cause);
  const isNews = lastError !== undefined && lastError.code !== 'no_response';
  const detail = isNews ? `${reason}; before, ${lastError.code}` : reason;
  return { code: 'no_response', detail, cause: lastError ?? cause };
}

/**
 * Returns the message of the innermost error: that of a connection is the cause of what `fetch` throws, one for each
 * address of a host.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [first = error.cause] = error instanceof AggregateError ? (error.errors as readonly unknown[]) : [];
  return first instanceof Error ? reasonOf(first) : error.message || error.name;
}

function environmentVariable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] === '' ? undefined : process?.env?.[name];
}

function originOfPage(): string | undefined {
  const { location } = globalThis as { location?: { origin: string } };
  return location?.origin;
}

/** @throws {TypeError} for an address that no path can be added to */
function baseOf(url: string | undefined): string {
  if (url === undefined || url === '') throw new TypeError('url is missing: give it, or set SURETY_URL');
  const { protocol, origin, pathname, search, hash, username, password } = new URL(url);
  if (!/^https?:$/.test(protocol)) throw new TypeError(`url must begin with http:// or https://, not ${protocol}`);
  if (search !== '' || hash !== '') throw new TypeError('url must have no query and no fragment');
  if (username !== '' || password !== '') throw new TypeError('url must have no user and no password');
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}
