import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Accepts connections and answers nothing, like a broker that hangs or a proxy without its broker. */
export class SilentServer {
  readonly port: number;
  readonly #sockets: Set<Socket>;
  readonly #close: () => void;

  private constructor(port: number, sockets: Set<Socket>, close: () => void) {
    this.port = port;
    this.#sockets = sockets;
    this.#close = close;
  }

  /** Listens on a free port of 127.0.0.1. `closesOnRequest`: closes each connection on its first request. */
  static async start({ closesOnRequest = false } = {}): Promise<SilentServer> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      // Reads and discards the data: only then does the end of a connection show.
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
      socket.resume();
      if (closesOnRequest) socket.once('data', () => socket.end());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new SilentServer((server.address() as AddressInfo).port, sockets, () => server.close());
  }

  stop(): void {
    this.#close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
