import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * What happens to an attempt. The service never sees `refused` and `busy`; it executes the others, but the caller gets
 * no response, half of it, one of another server, or one that is too late. It executes `doubled` twice at the same
 * time.
 */
export const FAULTS = ['refused', 'busy', 'lost', 'cut', 'gateway', 'late', 'doubled'] as const;
/** `given-up` is a response of another server that asks for more patience than the client has. */
export type Fault = (typeof FAULTS)[number] | 'given-up';

/** Longer than an attempt of the clients in these suites. */
export const LATE_MS = 600;

interface Forwarded {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** An HTTP proxy that gives the attempts of a call, which have one request id, the faults that were planned for it. */
export class FaultyProxy {
  readonly url: string;
  /** The statuses that the service answered, by request id. */
  readonly statuses = new Map<string, number[]>();
  /** Requests that the service has and has not answered. */
  inFlight = 0;
  readonly #server: ReturnType<typeof createServer>;

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** @param faultsOf called once for each call; further attempts have no fault */
  static async start(target: () => string, faultsOf: (path: string) => readonly Fault[]): Promise<FaultyProxy> {
    const planned = new Map<string, Fault[]>();
    const server = createServer((request, response) => {
      const id = String(request.headers['x-request-id']);
      const faults = planned.get(id) ?? [...faultsOf(request.url ?? '')];
      planned.set(id, faults);
      const fault = faults.shift();
      proxy.#serve(request, response, { target: target(), id, fault }).catch(() => response.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new FaultyProxy(server);
    return proxy;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(
    request: IncomingMessage,
    response: ServerResponse,
    { target, id, fault }: { readonly target: string; readonly id: string; readonly fault: Fault | undefined },
  ): Promise<void> {
    const body = await buffer(request);
    if (fault === 'refused') return void response.destroy();
    if (fault === 'busy') return void response.writeHead(503, { 'retry-after': '0' }).end('<h1>Busy</h1>');
    const forward = async (): Promise<Forwarded> => await this.#forward(target, request, body, id);
    const [first, second] = await Promise.all([forward(), ...(fault === 'doubled' ? [forward()] : [])]);
    const { status, headers, body: answer } = second ?? first;
    if (fault === 'lost') return void response.destroy();
    if (fault === 'given-up') return void response.writeHead(504, { 'retry-after': '6' }).end();
    if (fault === 'gateway') return void response.writeHead(504).end();
    if (fault === 'late') await pause(LATE_MS);
    response.writeHead(status, { ...headers, 'content-length': answer.length });
    if (fault !== 'cut') return void response.end(answer);
    response.write(answer.subarray(0, answer.length / 2), () => response.destroy());
  }

  async #forward(target: string, request: IncomingMessage, body: Buffer, id: string): Promise<Forwarded> {
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...headers } = request.headers;
    this.inFlight += 1;
    const response = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
    }).finally(() => (this.inFlight -= 1));
    this.statuses.set(id, [...(this.statuses.get(id) ?? []), response.status]);
    const { connection: _____, 'keep-alive': ______, ...answered } = Object.fromEntries(response.headers);
    return { status: response.status, headers: answered, body: Buffer.from(await response.arrayBuffer()) };
  }
}
