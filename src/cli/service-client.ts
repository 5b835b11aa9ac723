import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';

/** What the service answered. */
export interface ServiceAnswer {
  readonly status: number;
  /** The command had been carried out before (`Idempotent-Replayed`). */
  readonly replayed: boolean;
  readonly text: string;
}

/** Does not answer, or answers nothing that Surety would. The message is a sentence. */
export class ServiceUnreachable extends Error {
  override readonly name = 'ServiceUnreachable';
}

export interface ServiceClientOptions {
  /** Where the service is, with or without a slash at the end. */
  readonly url: string;
  readonly apiKey: string;
  /** How many requests are under way at once; the others wait. */
  readonly connections: number;
  /** For how long a request that finds no service, or a 503, is sent again. */
  readonly patienceMs: number;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
/** Longer than the service takes for anything it still answers. */
const REQUEST_TIMEOUT_MS = 30_000;

/** Speaks to the back office of a running service. */
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
   * Posts a command, again and again while the service is away or says 503: the caller sees to it that a repeated command
   * acts once, by its nature or by the key.
   * @throws {ServiceUnreachable} when the patience runs out
   */
  async postCommand(name: string, body: unknown, idempotencyKey?: string): Promise<ServiceAnswer> {
    const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    const path = `api/v1/admin/commands/${encodeURIComponent(name)}`;
    return await this.#ask('POST', path, JSON.stringify(body), headers);
  }

  /** Asks for a resource, as patiently as commands are posted. @throws {ServiceUnreachable} */
  async get(path: string): Promise<ServiceAnswer> {
    return await this.#ask('GET', path, '', {});
  }

  close(): void {
    this.#agent.destroy();
  }

  async #ask(
    method: string,
    path: string,
    body: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<ServiceAnswer> {
    const url = new URL(path, this.#base);
    const giveUpAt = performance.now() + this.#options.patienceMs;
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      const outcome = await this.#send(method, url, body, headers).catch((error: unknown) => error as Error);
      if (!(outcome instanceof Error) && outcome.status !== 503) return outcome;
      if (performance.now() + wait > giveUpAt) throw this.#unreachable(outcome);
      await pause(wait);
    }
  }

  async #send(
    method: string,
    url: URL,
    body: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<ServiceAnswer> {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    return await new Promise<ServiceAnswer>((resolve, reject) => {
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
      request.on('timeout', () => request.destroy(new Error('no answer in time')));
      request.on('error', reject);
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            replayed: response.headers['idempotent-replayed'] === 'true',
            text: Buffer.concat(chunks).toString('utf8'),
          });
        });
      });
      request.end(body);
    });
  }

  #unreachable(last: ServiceAnswer | Error): ServiceUnreachable {
    const reason = last instanceof Error ? causeOf(last) : `it answers ${last.status}`;
    return new ServiceUnreachable(`The service at ${this.#options.url} does not do its work: ${reason}.`, {
      cause: last,
    });
  }
}

/** A refused connection to a name with several addresses says what happened only inside. */
function causeOf(error: Error): string {
  const inner = 'errors' in error && Array.isArray(error.errors) ? (error.errors[0] as Error) : error;
  return inner.message || ('code' in error ? String(error.code) : error.name);
}
