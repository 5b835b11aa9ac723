import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const HOST = '127.0.0.1';

export interface TcpProxyOptions {
  /** Host of the server; default: 127.0.0.1. */
  readonly host?: string;
  /**
   * Replaces the server's address in responses by that of the proxy, so that clients do not bypass the proxy (Kafka).
   */
  readonly rewritesAddress?: boolean;
}

/** A proxy between a client and its server that simulates network faults and unresponsive servers. */
export class TcpProxy {
  readonly port: number;
  /** Delay of each chunk of a response, in milliseconds. */
  delay = 0;
  #isClosed = false;
  #responsesToCut = 0;
  #isFrozen = false;
  #expectedRequest: { readonly marker: RegExp; readonly onMatch: () => void } | undefined;
  /** The connection with the held request, and the chunks held back on it. */
  #held: { readonly client: Socket; readonly held: (() => void)[] } | undefined;
  readonly #pairs = new Set<readonly Socket[]>();
  readonly #stop: () => Promise<void>;

  private constructor(port: number, stop: () => Promise<void>) {
    this.port = port;
    this.#stop = stop;
  }

  /** Listens on a free port of 127.0.0.1 and forwards each connection to the port `target` of the host. */
  static async start(
    target: number,
    { host = HOST, rewritesAddress = false }: TcpProxyOptions = {},
  ): Promise<TcpProxy> {
    const server = createServer((client) => {
      if (proxy.#isClosed) client.destroy();
      else proxy.#join(client, connect(target, host), rewritesAddress ? target : undefined);
    });
    server.listen(0, HOST);
    await once(server, 'listening');
    const proxy = new TcpProxy((server.address() as AddressInfo).port, async () => {
      const closed = once(server, 'close');
      server.close();
      await closed;
    });
    return proxy;
  }

  /** Closes every connection; new ones are accepted. */
  cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  /** Closes every connection and refuses new ones until `open`. */
  close(): void {
    this.#isClosed = true;
    this.cut();
  }

  open(): void {
    this.#isClosed = false;
  }

  /** Forwards half of each of the next responses and then closes their connections. */
  cutResponses(count: number): void {
    this.#responsesToCut = count;
  }

  /** Accepts connections but forwards nothing until `thaw`. */
  freeze(): void {
    this.#isFrozen = true;
    for (const pair of this.#pairs) for (const socket of pair) socket.pause();
  }

  thaw(): void {
    this.#isFrozen = false;
    for (const pair of this.#pairs) for (const socket of pair) socket.resume();
  }

  /**
   * Holds back the next request that matches (as Latin-1), and what follows on its connection; resolves when it
   * arrives.
   */
  async holdRequest(marker: RegExp): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#expectedRequest = { marker, onMatch: resolve };
    });
  }

  /** Forwards the held chunks. */
  release(): void {
    const { held = [] } = this.#held ?? {};
    this.#held = undefined;
    for (const forward of held) forward();
  }

  async stop(): Promise<void> {
    const stopped = this.#stop();
    this.cut();
    await stopped;
  }

  #join(client: Socket, server: Socket, advertisedPort: number | undefined): void {
    const pair = [client, server];
    this.#pairs.add(pair);
    const destroy = (): void => {
      this.#pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) socket.setNoDelay().on('error', destroy).on('close', destroy);
    client.on('data', (chunk) => {
      const forward = (): void => write(server, chunk);
      if (this.#expectedRequest?.marker.test(chunk.toString('latin1')) === true) {
        const { onMatch } = this.#expectedRequest;
        this.#expectedRequest = undefined;
        this.#held = { client, held: [] };
        onMatch();
      }
      if (this.#held?.client === client) this.#held.held.push(forward);
      else forward();
    });
    let before = Promise.resolve();
    server.on('data', (chunk) => {
      if (this.#responsesToCut > 0) {
        this.#responsesToCut -= 1;
        client.end(chunk.subarray(0, Math.ceil(chunk.length / 2)), destroy);
        return;
      }
      if (advertisedPort !== undefined) replacePort(chunk, advertisedPort, this.port);
      const late = this.delay === 0 ? undefined : pause(this.delay);
      before = before.then(async () => await late).then(() => write(client, chunk));
    });
    if (this.#isFrozen) for (const socket of pair) socket.pause();
  }
}

function write(to: Socket, chunk: Buffer): void {
  if (to.writable) to.write(chunk);
}

/** Kafka encodes an address as the host's text followed by 4 bytes of the port. */
function replacePort(chunk: Buffer, from: number, to: number): void {
  const address = Buffer.alloc(HOST.length + 4);
  address.write(HOST);
  address.writeInt32BE(from, HOST.length);
  for (let at = chunk.indexOf(address); at !== -1; at = chunk.indexOf(address, at + 1))
    chunk.writeInt32BE(to, at + HOST.length);
}
