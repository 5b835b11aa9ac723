import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Takes every connection and answers nothing, as a broker does that hangs, or as a proxy does whose broker is gone. */
export class SilentServer {
  readonly port: number;
  readonly #sockets: Set<Socket>;
  readonly #close: () => void;

  private constructor(port: number, sockets: Set<Socket>, close: () => void) {
    this.port = port;
    this.#sockets = sockets;
    this.#close = close;
  }

  /** Listens on a free port of 127.0.0.1. `hangsUp`: ends each connection when it is asked something. */
  static async start({ hangsUp = false } = {}): Promise<SilentServer> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      // Read, so that the end of a connection is seen.
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
      socket.resume();
      if (hangsUp) socket.once('data', () => socket.end());
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
