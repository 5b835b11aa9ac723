import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const HOST = '127.0.0.1';

export interface TcpProxyOptions {
  /** Where the server is; 127.0.0.1 unless told. */
  readonly host?: string;
  /**
   * The server tells its clients where it is (Kafka): wherever an answer names the address of the server, the proxy's stands
   * in its place, so that nobody passes it by.
   */
  readonly tellsItsAddress?: boolean;
}

/** Stands between a client and its server, and does to their connections what networks, and servers that stand still, do. */
export class TcpProxy {
  readonly port: number;
  /** So many milliseconds later each piece of an answer arrives, in its order. */
  delay = 0;
  #isClosed = false;
  #answersToCut = 0;
  #isFrozen = false;
  #trap: { readonly marker: RegExp; readonly sprung: () => void } | undefined;
  /** The connection on which the trap sprang, and what came on it since. */
  #trapped: { readonly client: Socket; readonly held: (() => void)[] } | undefined;
  readonly #pairs = new Set<readonly Socket[]>();
  readonly #stop: () => Promise<void>;

  private constructor(port: number, stop: () => Promise<void>) {
    this.port = port;
    this.#stop = stop;
  }

  /** Listens on a free port of 127.0.0.1, and connects to the port `target` of the host for each client. */
  static async start(
    target: number,
    { host = HOST, tellsItsAddress = false }: TcpProxyOptions = {},
  ): Promise<TcpProxy> {
    const server = createServer((client) => {
      if (proxy.#isClosed) client.destroy();
      else proxy.#join(client, connect(target, host), tellsItsAddress ? target : undefined);
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

  /** Cuts every connection; new ones are taken. */
  cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  /** Cuts every connection, and takes no more until it is opened again. */
  close(): void {
    this.#isClosed = true;
    this.cut();
  }

  open(): void {
    this.#isClosed = false;
  }

  /** Passes on the first half of each of the next answers, and cuts their connections then. */
  cutAnswers(count: number): void {
    this.#answersToCut = count;
  }

  /** How many of them are still to be cut. */
  get answersToCut(): number {
    return this.#answersToCut;
  }

  /** Connections are taken, and nothing comes through until `thaw`. */
  freeze(): void {
    this.#isFrozen = true;
    for (const pair of this.#pairs) for (const socket of pair) socket.pause();
  }

  thaw(): void {
    this.#isFrozen = false;
    for (const pair of this.#pairs) for (const socket of pair) socket.resume();
  }

  /** Resolves when a request that matches, as Latin-1, has come; it is held back with all that follows on its connection. */
  async trap(marker: RegExp): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#trap = { marker, sprung: resolve };
    });
  }

  /** Passes on what was held back. */
  release(): void {
    const { held = [] } = this.#trapped ?? {};
    this.#trapped = undefined;
    for (const passOn of held) passOn();
  }

  async stop(): Promise<void> {
    const stopped = this.#stop();
    this.cut();
    await stopped;
  }

  #join(client: Socket, server: Socket, toldPort: number | undefined): void {
    const pair = [client, server];
    this.#pairs.add(pair);
    const destroy = (): void => {
      this.#pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) socket.setNoDelay().on('error', destroy).on('close', destroy);
    client.on('data', (piece) => {
      const passOn = (): void => write(server, piece);
      if (this.#trap?.marker.test(piece.toString('latin1')) === true) {
        const { sprung } = this.#trap;
        this.#trap = undefined;
        this.#trapped = { client, held: [] };
        sprung();
      }
      if (this.#trapped?.client === client) this.#trapped.held.push(passOn);
      else passOn();
    });
    let before = Promise.resolve();
    server.on('data', (piece) => {
      if (this.#answersToCut > 0) {
        this.#answersToCut -= 1;
        client.end(piece.subarray(0, Math.ceil(piece.length / 2)), destroy);
        return;
      }
      if (toldPort !== undefined) readdress(piece, toldPort, this.port);
      const late = this.delay === 0 ? undefined : pause(this.delay);
      before = before.then(async () => await late).then(() => write(client, piece));
    });
    if (this.#isFrozen) for (const socket of pair) socket.pause();
  }
}

function write(to: Socket, piece: Buffer): void {
  if (to.writable) to.write(piece);
}

/** Kafka writes an address as the host's text with 4 bytes of the port behind it. */
function readdress(piece: Buffer, from: number, to: number): void {
  const written = Buffer.alloc(HOST.length + 4);
  written.write(HOST);
  written.writeInt32BE(from, HOST.length);
  for (let at = piece.indexOf(written); at !== -1; at = piece.indexOf(written, at + 1))
    piece.writeInt32BE(to, at + HOST.length);
}
