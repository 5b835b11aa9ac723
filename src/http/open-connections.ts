import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * The connections of a server. Node closes those between two requests by itself, but takes one that has sent nothing yet, or half
 * of its headers, for busy.
 */
export class OpenConnections {
  readonly #sockets = new Set<Socket>();
  /** The responses on each connection that are not sent, in the order of their requests. */
  readonly #unsent = new WeakMap<Duplex, ServerResponse[]>();

  opened(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  /** Registers the response to a request that has arrived, and returns the one before it if that is not sent yet. */
  registerResponse(socket: Socket, response: ServerResponse): ServerResponse | undefined {
    const unsent = this.#unsentOn(socket);
    const earlier = unsent.at(-1);
    unsent.push(response);
    this.#unsent.set(socket, unsent);
    return earlier;
  }

  /** Returns the last response on the connection that is not sent yet. */
  lastUnsent(socket: Duplex): ServerResponse | undefined {
    return this.#unsentOn(socket).at(-1);
  }

  /** Closes every connection on which nothing is being answered. */
  closeWaiting(): void {
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
