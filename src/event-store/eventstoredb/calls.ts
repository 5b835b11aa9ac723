import { convertToCommandError, UnavailableError } from '@eventstore/db-client';
import type { EventStoreDBClient, ResolvedEvent } from '@eventstore/db-client';
import { convertGrpcEvent } from '@eventstore/db-client/dist/utils/convertGrpcEvent.js';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { AppendReq, AppendResp, ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';

import { lostConnection } from './errors.ts';
import { timeoutError } from './timeouts.ts';

interface CallHandlers<T> {
  readonly onEnd: (result: T) => void;
  readonly onError: (error: Error) => void;
  /** Restarts the time limit: the server has sent a part of the answer. */
  readonly onData: () => void;
}

type StartCall<T> = (stub: StreamsClient, handlers: CallHandlers<T>) => () => void;

/** Private member of the client that this adapter uses; its version is pinned. */
interface Inner {
  getGRPCClient(type: typeof streamsGrpc.StreamsClient, name: string): Promise<StreamsClient>;
}

/** A call that times out closes a connection without answers for this long. */
const silentConnectionMs = 5_000;

/**
 * Makes the frequent gRPC calls directly on the connection of the client. The client's functions are slower by half, and an error that
 * `appendToStream` throws synchronously ends the process.
 */
export class Calls {
  readonly #client: EventStoreDBClient;
  /** Start of the first call after the last answer to any call. */
  #unansweredSince: number | undefined;

  constructor(client: EventStoreDBClient) {
    this.#client = client;
  }

  /**
   * Calls `Append`. After any error the events may have been written. @throws the client's errors
   * @throws {StoreUnavailable} when there is no answer within `limitMs`
   */
  async append(messages: readonly AppendReq[], limitMs: number): Promise<AppendResp> {
    return await this.#call<AppendResp>(limitMs, (stub, { onEnd, onError }) => {
      const [metadata, options] = this.#client['callArguments']({ requiresLeader: true, deadline: limitMs });
      const call = stub.append(metadata, options, (error, answer) => (error === null ? onEnd(answer) : onError(error)));
      call.on('error', onError);
      for (const message of messages) call.write(message);
      call.end();
      return () => call.cancel();
    });
  }

  /**
   * Calls `Read` and collects all events; none when the stream does not exist. @throws the client's errors
   * @throws {StoreUnavailable} when no data has arrived for `limitMs`
   */
  async read(request: ReadReq, limitMs: number): Promise<ResolvedEvent[]> {
    const answers = await this.#call<ReadResp[]>(limitMs, (stub, { onEnd, onError, onData }) => {
      const call = this.#startRead(stub, request);
      const all: ReadResp[] = [];
      call.on('data', (answer: ReadResp) => {
        all.push(answer);
        onData();
      });
      call.on('error', onError);
      call.on('end', () => onEnd(all));
      return () => call.cancel();
    });
    return answers.flatMap((answer) => {
      const event = answer.getEvent();
      return event === undefined ? [] : [convertGrpcEvent(event)];
    });
  }

  /**
   * Opens a subscription that ends with its first event. Calls `onEnd` once, also after an error.
   * @returns function that ends the subscription
   */
  subscribeOnce(request: ReadReq, onEnd: (hasEvent: boolean) => void): () => void {
    let hasEnded = false;
    let cancel = (): void => {};
    const end = (hasEvent: boolean): void => {
      if (hasEnded) return;
      hasEnded = true;
      cancel();
      onEnd(hasEvent);
    };
    const start = async (): Promise<void> => {
      const stub = await this.#stub();
      if (hasEnded) return;
      const call = this.#startRead(stub, request);
      cancel = () => call.cancel();
      call.on('data', (answer: ReadResp) => {
        if (answer.hasEvent()) end(true);
      });
      call.on('error', () => end(false));
      call.on('end', () => end(false));
    };
    start().catch(() => end(false));
    return () => end(false);
  }

  /** Sets no deadline of gRPC, because it did not fire against a frozen server. */
  #startRead(stub: StreamsClient, request: ReadReq): ReturnType<StreamsClient['read']> {
    return stub.read(request, ...this.#client['callArguments']({ requiresLeader: true }, { deadline: Infinity }));
  }

  async #stub(): Promise<StreamsClient> {
    return await (this.#client as unknown as Inner).getGRPCClient(streamsGrpc.StreamsClient, 'Surety');
  }

  async #call<T>(limitMs: number, startCall: StartCall<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    let stub: StreamsClient | undefined;
    let cancel = (): void => {};
    let isTimedOut = false;
    const limit = setTimeout(() => {
      isTimedOut = true;
      reject(timeoutError(limitMs));
      cancel();
      if (stub !== undefined) this.#closeIfSilent(stub);
    }, limitMs);
    const start = async (): Promise<void> => {
      const connected = await this.#stub();
      if (isTimedOut) return;
      stub = connected;
      this.#unansweredSince ??= performance.now();
      const markAnswered = (): void => {
        // A call that was cancelled after its time limit also ends, without an answer.
        if (!isTimedOut) this.#unansweredSince = undefined;
      };
      const onData = (): void => {
        markAnswered();
        if (!isTimedOut) limit.refresh();
      };
      const onEnd = (result: T): void => {
        markAnswered();
        resolve(result);
      };
      const onError = (error: Error): void => {
        markAnswered();
        // Reconnects, in a cluster to the leader, when the error requires it.
        void this.#client['handleError'](connected, error);
        reject(asCommandError(error));
      };
      try {
        cancel = startCall(stub, { onEnd, onError, onData });
      } catch (error) {
        // The error of another call has closed the connection in the meantime.
        this.#unansweredSince = undefined;
        throw lostConnection(error);
      }
    };
    start().catch(reject);
    try {
      return await promise;
    } finally {
      clearTimeout(limit);
    }
  }

  /** The next call then opens a new connection, in a cluster to the current leader. */
  #closeIfSilent(stub: StreamsClient): void {
    if (this.#unansweredSince === undefined || performance.now() - this.#unansweredSince < silentConnectionMs) return;
    this.#unansweredSince = undefined;
    void this.#client['handleError'](stub, new UnavailableError());
  }
}

function asCommandError(error: Error): Error {
  try {
    return convertToCommandError(error);
  } catch {
    // The client cannot convert it.
    return error;
  }
}
