import type { Problem } from './api-types.ts';
import { errorOf, type FailedCall, type Failure, SuretyError } from './errors.ts';

export interface ClientOptions {
  /** The address of the service. Default: `SURETY_URL`; in a page, the origin of the page. */
  readonly url?: string;
  /** The API key. Default: `SURETY_KEY`. */
  readonly key?: string;
  /** Limit of one attempt, in milliseconds; 30,000 by default. */
  readonly attemptTimeoutMs?: number;
  /** Limit of a call with its retries, in milliseconds; 60,000 by default. */
  readonly callTimeoutMs?: number;
  /** Replaces the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** Settings of one call. */
export interface CallOptions extends Pick<ClientOptions, 'attemptTimeoutMs' | 'callTimeoutMs'> {
  /** Ends the call, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** Called before each retry. */
  readonly onRetry?: (error: SuretyError, waitMs: number) => void;
}

/** Settings of one command. */
export interface CommandOptions extends CallOptions {
  /** Default: a random one. The same key and body execute the command once, also in another process. */
  readonly idempotencyKey?: string;
  /** Executes the command only if this resource has not changed since this client got it; or its `ETag`. */
  readonly ifMatch?: object | string;
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

/** What a response contains besides its body. */
export interface Received<T> {
  readonly body: T;
  /** `Retry-After` of a success, in milliseconds. */
  readonly retryAfterMs: number | undefined;
}

type EncodedBody = Pick<RequestInit, 'body'> & { readonly contentType?: string };

const RETRIED = [408, 429, 502, 503, 504];
const LONGEST_WAIT_MS = 5_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Sends requests with retries. A command keeps its idempotency key and its bytes through all of them, so that it is executed once. A GET
 * names the highest position that this client has received, so that it shows what the client has written.
 */
export class Http {
  readonly #base: string;
  readonly #key: string;
  readonly #options: ClientOptions;
  readonly #tags = new WeakMap<object, string>();
  #position: bigint | undefined;

  constructor(options: ClientOptions) {
    const { url = setting('SURETY_URL') ?? originOfPage(), key = setting('SURETY_KEY') } = options;
    if (url === undefined) throw new TypeError('url is missing: give it, or set SURETY_URL');
    if (key === undefined) throw new TypeError('key is missing: give it, or set SURETY_KEY');
    const { protocol, href } = new URL(url);
    if (!/^https?:$/.test(protocol)) throw new TypeError(`url must begin with http:// or https://, not ${protocol}`);
    this.#base = href.replace(/\/+$/, '');
    this.#key = key;
    this.#options = options;
  }

  /** Sends a request and reads its JSON. @throws {SuretyError} */
  async send<T>(call: Call, options: CommandOptions = {}): Promise<Received<T>> {
    return await this.#send(call, options, async (response, failed) => {
      const body = parsed(await response.text());
      if (body === undefined) throw errorOf(failed, unexpected(response, failed));
      const tag = response.headers.get('etag');
      if (tag !== null && typeof body === 'object' && body !== null) this.#tags.set(body, tag);
      return { body: body as T, retryAfterMs: retryAfterOf(response) };
    });
  }

  /** Sends a request. The body of the response is a stream, which is not retried once it has begun. @throws {SuretyError} */
  async open(call: Call, options: CallOptions = {}): Promise<Response> {
    return await this.#send(call, options, async (response) => response);
  }

  async #send<T>(
    call: Call,
    options: CommandOptions,
    read: (response: Response, failed: Attempted) => Promise<T>,
  ): Promise<T> {
    const { method, path } = call;
    const isCommand = method !== 'GET';
    const idempotencyKey = isCommand ? (options.idempotencyKey ?? randomId()) : undefined;
    const requestId = randomId();
    const failed: Attempted = { method, path, idempotencyKey, requestId };
    const { contentType, ...body } = await bodyOf(call.body);
    const headers = new Headers({
      'X-API-Key': this.#key,
      'X-Request-Id': requestId,
      Accept: call.accept ?? JSON_TYPE,
    });
    if (contentType !== undefined) headers.set('Content-Type', contentType);
    if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey);
    if (options.ifMatch !== undefined) headers.set('If-Match', this.#tagOf(options.ifMatch));
    const url = `${this.#base}${path}${searchOf(call.query)}`;
    const limit = (name: 'attemptTimeoutMs' | 'callTimeoutMs', fallback: number): number =>
      (options[name] ?? this.#options[name] ?? fallback) + (call.waitMs ?? 0);
    const end = performance.now() + limit('callTimeoutMs', 60_000);
    let ignoresPosition = isCommand;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const position = ignoresPosition ? undefined : this.#position;
      if (position === undefined) headers.delete('Surety-Min-Position');
      else headers.set('Surety-Min-Position', String(position));
      const attemptMs = Math.max(1, Math.min(limit('attemptTimeoutMs', 30_000), end - performance.now()));
      const outcome = await this.#attempt(url, { method, headers, ...body }, { attemptMs, options, failed, read });
      if ('result' in outcome) return outcome.result;
      const { error, retryAfterMs } = outcome;
      if (position !== undefined && isPositionLost(error, position)) {
        if (this.#position === position) this.#position = undefined;
        ignoresPosition = true;
        continue;
      }
      if (retryAfterMs === undefined) throw error;
      const waitMs = Math.max(retryAfterMs, pause * (0.5 + Math.random() / 2));
      if (waitMs > LONGEST_WAIT_MS || performance.now() + waitMs > end) throw error;
      options.onRetry?.(error, waitMs);
      await sleep(waitMs, options.signal);
    }
  }

  /** Resolves with the result, or with the error and how long to wait before a retry, if one is allowed. */
  async #attempt<T>(
    url: string,
    init: RequestInit,
    { attemptMs, options: { signal }, failed, read }: AttemptOptions<T>,
  ): Promise<{ readonly result: T } | { readonly error: SuretyError; readonly retryAfterMs: number | undefined }> {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(new Error(`no response in ${Math.round(attemptMs)} ms`)), attemptMs);
    try {
      const either = signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]);
      const send = this.#options.fetch ?? fetch;
      const response = await send(url, { ...init, redirect: 'manual', signal: either });
      this.#notePosition(response);
      if (response.ok) return { result: await read(response, failed) };
      const error = errorOf(failed, await failureOf(response, failed));
      const isRetried = RETRIED.includes(response.status);
      return { error, retryAfterMs: isRetried ? (retryAfterOf(response) ?? 0) : undefined };
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof SuretyError) throw cause;
      const reason: unknown = timeout.signal.aborted ? timeout.signal.reason : cause;
      return { error: errorOf(failed, noResponse(failed, reason)), retryAfterMs: 0 };
    } finally {
      clearTimeout(timer);
    }
  }

  #notePosition(response: Response): void {
    const position = response.headers.get('surety-position');
    if (position === null || !/^\d+$/.test(position)) return;
    if (this.#position === undefined || BigInt(position) > this.#position) this.#position = BigInt(position);
  }

  #tagOf(resource: object | string): string {
    const tag = typeof resource === 'string' ? resource : this.#tags.get(resource);
    if (tag === undefined) throw new TypeError('ifMatch must be a resource that this client got by `get`, or an ETag');
    return tag;
  }
}

/** Returns whether the log does not contain a position: it was restored or moved. Otherwise only the read models lag. */
function isPositionLost({ code, problem: { head } }: SuretyError, position: bigint): boolean {
  return code === 'position_not_reached' && !(typeof head === 'string' && BigInt(head) >= position);
}

type Attempted = FailedCall & { readonly requestId: string };

interface AttemptOptions<T> {
  readonly attemptMs: number;
  readonly options: CallOptions;
  readonly failed: Attempted;
  readonly read: (response: Response, failed: Attempted) => Promise<T>;
}

const JSON_TYPE = 'application/json';

function setting(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name];
}

function originOfPage(): string | undefined {
  const { location } = globalThis as { location?: { origin: string } };
  return location?.origin;
}

/** Makes the bytes of a body, once for all attempts: those of a form contain a random boundary. */
async function bodyOf(body: object | undefined): Promise<EncodedBody> {
  if (body === undefined) return {};
  if (!(body instanceof FormData)) return { body: JSON.stringify(body), contentType: JSON_TYPE };
  const encoded = new Response(body);
  const contentType = encoded.headers.get('content-type') ?? '';
  return { body: await encoded.arrayBuffer(), contentType };
}

function searchOf(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return search === '' ? '' : `?${search}`;
}

/** Makes an id for a key or a request. A page over HTTP has no `crypto.randomUUID`. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns undefined for a text that is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** In milliseconds; undefined without the header, and for a date, which the service does not send. */
function retryAfterOf({ headers }: Response): number | undefined {
  const seconds = headers.get('retry-after');
  return seconds !== null && /^\d+$/.test(seconds) ? Number(seconds) * 1_000 : undefined;
}

/** Reads the problem of the service, or describes what another server answered. */
async function failureOf(response: Response, { requestId }: Attempted): Promise<Failure> {
  const problem = parsed(await response.text()) as Problem | null | undefined;
  if (typeof problem?.code !== 'string') return unexpected(response, { requestId });
  const { code, detail, errors = [], request_id } = problem;
  return { status: response.status, code, detail, errors, requestId: request_id, problem };
}

function unexpected({ status, url }: Response, { requestId }: Pick<Attempted, 'requestId'>): Failure {
  return { status, code: 'unexpected_response', detail: `${url} answered ${status}, not as Surety does`, requestId };
}

function noResponse({ requestId }: Attempted, cause: unknown): Failure {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const reason = inner instanceof Error ? inner.message : String(inner);
  return { code: 'no_response', detail: reason, requestId, cause };
}

/** Waits. @throws the reason of the signal */
export async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(end, ms);
    function end(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    }
    signal?.addEventListener('abort', end);
    if (signal?.aborted === true) end();
  });
  signal?.throwIfAborted();
}
