import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between a client and its server, and does to their connections what networks do. */
export class TcpProxy {
  readonly port: number;
  /** So many milliseconds later each piece arrives, in both directions, in its order. */
  delay = 0;
  #isClosed = false;
  #answersToCut = 0;
  #trap: { readonly marker: RegExp; readonly sprung: () => void } | undefined;
  readonly #pairs = new Set<readonly Socket[]>();
  readonly #stop: () => Promise<void>;

  private constructor(port: number, stop: () => Promise<void>) {
    this.port = port;
    this.#stop = stop;
  }

  /** Listens on a free port of 127.0.0.1, and connects for each client to the port `target` of `host`. */
  static async start(target: number, host = '127.0.0.1'): Promise<TcpProxy> {
    const server = createServer((client) => {
      if (proxy.#isClosed) client.destroy();
      else proxy.#join(client, connect(target, host));
    });
    server.listen(0, '127.0.0.1');
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

  /** Resolves when a request that matches, as Latin-1, has come; nothing is passed on from that one on, on its connection. */
  async trap(marker: RegExp): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#trap = { marker, sprung: resolve };
    });
  }

  async stop(): Promise<void> {
    const stopped = this.#stop();
    this.cut();
    await stopped;
  }

  #join(client: Socket, server: Socket): void {
    const pair = [client, server];
    this.#pairs.add(pair);
    const destroy = (): void => {
      this.#pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) socket.setNoDelay().on('error', destroy).on('close', destroy);
    let isTrapped = false;
    this.#passOn(client, server, (piece) => {
      if (this.#trap?.marker.test(piece.toString('latin1')) === true) {
        const { sprung } = this.#trap;
        this.#trap = undefined;
        isTrapped = true;
        sprung();
      }
      return isTrapped ? undefined : piece;
    });
    this.#passOn(server, client, (piece) => {
      if (this.#answersToCut === 0) return piece;
      this.#answersToCut -= 1;
      client.end(piece.subarray(0, Math.ceil(piece.length / 2)), destroy);
      return undefined;
    });
  }

  #passOn(from: Socket, to: Socket, look: (piece: Buffer) => Buffer | undefined): void {
    from.on('data', (piece) => {
      const passed = look(piece);
      if (passed === undefined) return;
      const write = (): void => {
        if (to.writable) to.write(passed);
      };
      if (this.delay === 0) write();
      else setTimeout(write, this.delay);
    });
  }
}
