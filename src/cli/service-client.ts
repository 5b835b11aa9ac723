import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { retryFor } from '#stores/shared/timing.ts';

export interface ServiceResponse {
  readonly status: number;
  /** The command had been executed before (`Idempotent-Replayed`). */
  readonly replayed: boolean;
  readonly text: string;
  readonly contentType: string;
  /** In seconds; undefined without `Retry-After`. */
  readonly retryAfter: number | undefined;
  readonly bytes: Buffer;
}

/** Statuses of a service, or of a proxy before it, that may be available for the same request. */
const RETRIED = [429, 502, 503, 504];

/** The service does not respond, or responds only that it is not available. The message is a sentence. */
export class ServiceUnreachable extends Error {
  override readonly name = 'ServiceUnreachable';
  /** The last response; undefined when there was none. */
  readonly response: ServiceResponse | undefined;
  constructor(message: string, options: { readonly cause: Error; readonly response: ServiceResponse | undefined }) {
    super(message, { cause: options.cause });
    this.response = options.response;
  }
}

export interface ServiceClientOptions {
  readonly url: string;
  readonly apiKey: string;
  /** Concurrent requests; additional ones wait. */
  readonly connections: number;
  readonly retryForMs: number;
}

/** Longer than any request of the service may take, also one that waits 30 s for an event. */
const REQUEST_TIMEOUT_MS = 40_000;

export class ServiceClient {
  readonly #base: URL;
  readonly #options: ServiceClientOptions;
  readonly #agent: HttpAgent;

  constructor(options: ServiceClientOptions) {
    this.#options = options;
    this.#base = new URL(options.url.replace(/\/*$/, '/'));
    const settings = { keepAlive: true, maxSockets: options.connections };
    this.#agent = this.#base.protocol === 'https:' ? new HttpsAgent(settings) : new HttpAgent(settings);
  }

  /**
   * Posts a command, with retries while the service is unreachable or responds with 429 or 503. The command must be
   * idempotent, by its identity or by the key.
   * @throws {ServiceUnreachable} after `retryForMs`
   */
  async postCommand(name: string, body: unknown, idempotencyKey?: string): Promise<ServiceResponse> {
    return await this.post(`api/v1/admin/commands/${encodeURIComponent(name)}`, body, idempotencyKey);
  }

  /** Posts a body with an idempotency key, or nothing, with the same retries. @throws {ServiceUnreachable} */
  async post(path: string, body?: unknown, idempotencyKey?: string): Promise<ServiceResponse> {
    const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    return await this.#request('POST', path, body === undefined ? '' : JSON.stringify(body), headers);
  }

  /** Gets a resource, with the same retries. @throws {ServiceUnreachable} */
  async get(path: string): Promise<ServiceResponse> {
    return await this.#request('GET', path, '', {});
  }

  get url(): string {
    return this.#options.url;
  }

  close(): void {
    this.#agent.destroy();
  }

  async #request(
    method: string,
    path: string,
    body: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<ServiceResponse> {
    const url = new URL(path, this.#base);
    let unavailable: ServiceResponse | undefined;
    const send = async (): Promise<ServiceResponse> => {
      unavailable = undefined;
      const response = await this.#send(method, url, body, headers);
      if (!RETRIED.includes(response.status)) return response;
      unavailable = response;
      throw new Error(`it responded with ${response.status}`);
    };
    return await retryFor(this.#options.retryForMs, send, () => true).catch((error: Error) => {
      throw this.#unreachable(error, unavailable);
    });
  }

  async #send(
    method: string,
    url: URL,
    body: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<ServiceResponse> {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    return await new Promise<ServiceResponse>((resolve, reject) => {
      const request = send(url, {
        method,
        agent: this.#agent,
        timeout: REQUEST_TIMEOUT_MS,
        headers: {
          ...(body === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          'x-api-key': this.#options.apiKey,
          ...headers,
        },
      });
      request.on('timeout', () => request.destroy(new Error('no response in time')));
      request.on('error', reject);
      request.on('response', (response) => {
        const { statusCode: status = 0, headers: received } = response;
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const { 'idempotent-replayed': replayed, 'content-type': contentType = '', 'retry-after': after } = received;
          const retryAfter = secondsIn(after);
          resolve({ status, replayed: replayed === 'true', contentType, retryAfter, bytes, text: bytes.toString() });
        });
      });
      request.end(body);
    });
  }

  #unreachable(cause: Error, response: ServiceResponse | undefined): ServiceUnreachable {
    const message = `The service at ${this.#options.url} is not available: ${causeOf(cause)}.`;
    return new ServiceUnreachable(message, { cause, response });
  }
}

const MAX_RETRY_AFTER_S = 3_600;

/** Returns undefined for a missing header, and for a date, which Surety does not send. */
function secondsIn(header: string | undefined): number | undefined {
  const seconds = /^\d+$/.test(header ?? '') ? Number(header) : undefined;
  return seconds === undefined ? undefined : Math.min(seconds, MAX_RETRY_AFTER_S);
}

function causeOf(error: Error): string {
  const inner = 'errors' in error && Array.isArray(error.errors) ? (error.errors[0] as Error) : error;
  return inner.message || ('code' in error ? String(error.code) : error.name);
}
