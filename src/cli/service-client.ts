import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { retryFor } from '../timing.ts';

export interface ServiceResponse {
  readonly status: number;
  /** The command had been executed before (`Idempotent-Replayed`). */
  readonly replayed: boolean;
  readonly text: string;
}

/** The service does not respond, responds only with 503, or cuts a response. The message is a sentence. */
export class ServiceUnreachable extends Error {
  override readonly name = 'ServiceUnreachable';
}

export interface ServiceClientOptions {
  readonly url: string;
  readonly apiKey: string;
  /** Concurrent requests; additional ones wait. */
  readonly connections: number;
  /** How long to retry when the service is unreachable or responds with 503. */
  readonly retryForMs: number;
}

/** Longer than any request of the service may take. */
const REQUEST_TIMEOUT_MS = 30_000;

/** Client of the admin API of a running service. */
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
   * Posts a command, with retries while the service is unreachable or responds with 503. The command must be
   * idempotent, by its identity or by the key.
   * @throws {ServiceUnreachable} after `retryForMs`
   */
  async postCommand(name: string, body: unknown, idempotencyKey?: string): Promise<ServiceResponse> {
    const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    const path = `api/v1/admin/commands/${encodeURIComponent(name)}`;
    return await this.#request('POST', path, JSON.stringify(body), headers);
  }

  /** Posts a body with an idempotency key, with the same retries. @throws {ServiceUnreachable} */
  async post(path: string, body: unknown, idempotencyKey: string): Promise<ServiceResponse> {
    return await this.#request('POST', path, JSON.stringify(body), { 'idempotency-key': idempotencyKey });
  }

  /** Gets a resource, with the same retries. @throws {ServiceUnreachable} */
  async get(path: string): Promise<ServiceResponse> {
    return await this.#request('GET', path, '', {});
  }

  /**
   * Gets lines as they arrive, with the same retries before the first. The text of the response is empty with status 200.
   * @throws {ServiceUnreachable} also when the connection is cut
   */
  async getLines(path: string, onLine: (line: string) => void): Promise<ServiceResponse> {
    return await this.#request('GET', path, '', {}, onLine);
  }

  /** The URL as it was given, for messages. */
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
    onLine?: (line: string) => void,
  ): Promise<ServiceResponse> {
    const url = new URL(path, this.#base);
    const send = async (): Promise<ServiceResponse> => {
      const response = await this.#send(method, url, body, headers, onLine);
      if (response.status === 503) throw new Error('it responded with 503');
      return response;
    };
    const isCut = (error: unknown): boolean => error instanceof ServiceUnreachable;
    return await retryFor(this.#options.retryForMs, send, (error) => !isCut(error)).catch((error: Error) => {
      throw isCut(error) ? error : this.#unreachable(error);
    });
  }

  async #send(
    method: string,
    url: URL,
    body: string,
    headers: Readonly<Record<string, string>>,
    onLine?: (line: string) => void,
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
        const texts: string[] = [];
        const isRead = status === 200 && onLine !== undefined;
        response.setEncoding('utf8').on('data', isRead ? lineReader(onLine) : (text: string) => texts.push(text));
        response.on('error', (error) => reject(isRead ? this.#cut(error) : error));
        response.on('end', () => {
          resolve({ status, replayed: received['idempotent-replayed'] === 'true', text: texts.join('') });
        });
      });
      request.end(body);
    });
  }

  #cut(cause: Error): ServiceUnreachable {
    return new ServiceUnreachable(
      `The service at ${this.#options.url} cut its response: ${causeOf(cause)}. Its log may say why.`,
      { cause },
    );
  }

  #unreachable(cause: Error): ServiceUnreachable {
    return new ServiceUnreachable(`The service at ${this.#options.url} is not available: ${causeOf(cause)}.`, {
      cause,
    });
  }
}

/** Returns a function that takes the pieces of a text and calls `onLine` with each complete line. */
function lineReader(onLine: (line: string) => void): (text: string) => void {
  let rest = '';
  return (text) => {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  };
}

function causeOf(error: Error): string {
  const inner = 'errors' in error && Array.isArray(error.errors) ? (error.errors[0] as Error) : error;
  return inner.message || ('code' in error ? String(error.code) : error.name);
}
