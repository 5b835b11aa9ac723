import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * Connections of a server. Needed at stop, because Node closes idle connections, but not those that have sent nothing or only a part of the
 * headers.
 */
export class OpenConnections {
  readonly #sockets = new Set<Socket>();
  /** Unsent responses of each connection, in the order of their requests. */
  readonly #unsent = new WeakMap<Duplex, ServerResponse[]>();

  add(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  /** Registers the response to a new request, and returns the previous one if it is unsent. */
  registerResponse(socket: Socket, response: ServerResponse): ServerResponse | undefined {
    const unsent = this.#unsentOn(socket);
    const earlier = unsent.at(-1);
    unsent.push(response);
    this.#unsent.set(socket, unsent);
    return earlier;
  }

  lastUnsent(socket: Duplex): ServerResponse | undefined {
    return this.#unsentOn(socket).at(-1);
  }

  closeInactive(): void {
    for (const socket of this.#sockets) {
      if (this.#unsentOn(socket).length === 0) socket.destroy();
    }
  }

  #unsentOn(socket: Duplex): ServerResponse[] {
    const unsent = this.#unsent.get(socket) ?? [];
    // Responses are sent in order, so the sent ones are at the front.
    while (unsent[0] !== undefined && isSent(unsent[0])) unsent.shift();
    return unsent;
  }
}

function isSent(response: ServerResponse): boolean {
  return response.writableFinished || response.destroyed;
}
