import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** More than any client pipelines. */
const MAX_OPEN_RESPONSES = 32;

export type ConnectionLimit = 'limit' | 'open_responses';

export interface OpenConnectionsOptions {
  readonly maxConnections: number;
  readonly onDestroyed: (reason: ConnectionLimit) => void;
}

export class OpenConnections {
  /** In the order in which they were opened or finished their last response, whatever is later. */
  readonly #responses = new Map<Duplex, Set<ServerResponse>>();
  readonly #options: OpenConnectionsOptions;

  constructor(options: OpenConnectionsOptions) {
    this.#options = options;
  }

  /**
   * Adds a connection. At the maximum it destroys the connection that has been without a complete request for the
   * longest; the new one if every other has a request in flight.
   */
  add(socket: Duplex): void {
    const isFull = this.#responses.size >= this.#options.maxConnections;
    this.#responses.set(socket, new Set());
    socket.once('close', () => this.#responses.delete(socket));
    if (isFull) this.#destroyLongestWithoutRequest();
  }

  /**
   * Registers the response to a request until it is closed.
   * @returns false when the connection is destroyed. Node calls its request handler for the rest of a chunk, whose
   * requests need no response.
   */
  addResponse(socket: Duplex, response: ServerResponse): boolean {
    const open = this.#responses.get(socket);
    if (open === undefined) return false;
    if (open.size >= MAX_OPEN_RESPONSES) {
      this.#destroy(socket, 'open_responses');
      return false;
    }
    open.add(response);
    response.once('close', () => {
      open.delete(response);
      if (this.#responses.delete(socket)) this.#responses.set(socket, open);
    });
    return true;
  }

  hasOpenResponse(socket: Duplex): boolean {
    return (this.#responses.get(socket)?.size ?? 0) > 0;
  }

  /** Destroys connections without an open response: at a stop, Node closes only those that have finished one. */
  destroyInactive(): void {
    for (const [socket, open] of this.#responses) if (open.size === 0) socket.destroy();
  }

  #destroyLongestWithoutRequest(): void {
    const connections = [...this.#responses];
    const found = connections.find(([, open]) => ![...open].some(({ req }) => req.complete));
    if (found !== undefined) this.#destroy(found[0], 'limit');
  }

  #destroy(socket: Duplex, reason: ConnectionLimit): void {
    this.#responses.delete(socket);
    socket.destroy();
    this.#options.onDestroyed(reason);
  }
}
