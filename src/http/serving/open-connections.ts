import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The connections of a server. Node closes those between two requests by itself, but takes one that has sent nothing yet, or half
 * of its headers, for busy.
 */
export class OpenConnections {
  readonly #sockets = new Set<Socket>();
  /** The latest answer on each connection, finished or not. */
  readonly #answers = new WeakMap<Socket, ServerResponse>();

  opened(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  /** A request has arrived on this connection, and is to be answered. */
  began(socket: Socket, answer: ServerResponse): void {
    this.#answers.set(socket, answer);
  }

  /** Closes every connection on which nothing is being answered. */
  closeWaiting(): void {
    for (const socket of this.#sockets) {
      const answer = this.#answers.get(socket);
      if (answer === undefined || answer.writableFinished || answer.destroyed) socket.destroy();
    }
  }
}
