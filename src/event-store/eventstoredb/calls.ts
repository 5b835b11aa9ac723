import { convertToCommandError, UnavailableError } from '@eventstore/db-client';
import type { EventStoreDBClient, ResolvedEvent } from '@eventstore/db-client';
import { convertGrpcEvent } from '@eventstore/db-client/dist/utils/convertGrpcEvent.js';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { AppendReq, AppendResp, ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';

import { lostConnection } from './errors.ts';
import { noAnswer } from './time-limit.ts';

/** Handlers of a call. What a call reports after its end is ignored. */
interface CallHandlers<T> {
  readonly ended: (outcome: T) => void;
  readonly failed: (error: Error) => void;
  /** The server has sent a part of the answer: the time limit begins again. */
  readonly answered: () => void;
}

/** Starts a call, and returns the function that cancels it. */
type StartCall<T> = (stub: StreamsClient, handlers: CallHandlers<T>) => () => void;

/** Private member of the client that this adapter uses; its version is pinned. */
interface Inner {
  /** Connects, where nothing is connected. */
  getGRPCClient(type: typeof streamsGrpc.StreamsClient, name: string): Promise<StreamsClient>;
}

/** Calls close a connection that has not answered for this long when they reach their limit. */
const silenceLimitMs = 5_000;

/**
 * The frequent calls, straight on the connection that the client keeps. The client's own functions for them
 * let an error that is thrown at once end the process (`append`), or cost half as much again (both).
 */
export class Calls {
  readonly #client: EventStoreDBClient;
  /** When the first call began since the last answer to any call. */
  #unansweredSince: number | undefined;

  constructor(client: EventStoreDBClient) {
    this.#client = client;
  }

  /**
   * Makes the call `Append`: whatever it throws, the events may have been written. @throws the client's errors
   * @throws {StoreUnavailable} when there is no answer within `limitMs`
   */
  async append(messages: readonly AppendReq[], limitMs: number): Promise<AppendResp> {
    return await this.#make<AppendResp>(limitMs, (stub, { ended, failed }) => {
      const [metadata, options] = this.#client['callArguments']({ requiresLeader: true, deadline: limitMs });
      const call = stub.append(metadata, options, (error, answer) => (error === null ? ended(answer) : failed(error)));
      call.on('error', failed);
      for (const message of messages) call.write(message);
      call.end();
      return () => call.cancel();
    });
  }

  /**
   * Makes the call `Read`, to its end; nothing when there is no such stream. @throws the client's errors
   * @throws {StoreUnavailable} when no part of an answer has come for `limitMs`
   */
  async read(request: ReadReq, limitMs: number): Promise<ResolvedEvent[]> {
    const answers = await this.#make<ReadResp[]>(limitMs, (stub, { ended, failed, answered }) => {
      const call = this.#beginRead(stub, request);
      const all: ReadResp[] = [];
      call.on('data', (answer: ReadResp) => {
        all.push(answer);
        answered();
      });
      call.on('error', failed);
      call.on('end', () => ended(all));
      return () => call.cancel();
    });
    return answers.flatMap((answer) => {
      const event = answer.getEvent();
      return event === undefined ? [] : [convertGrpcEvent(event)];
    });
  }

  /**
   * Opens a subscription that ends with its first event; however it ends, `onEnd` is called once.
   * @returns how it is closed before that
   */
  listen(request: ReadReq, onEnd: (hasEvent: boolean) => void): () => void {
    let isOver = false;
    let cancel = (): void => {};
    const end = (hasEvent: boolean): void => {
      if (isOver) return;
      isOver = true;
      cancel();
      onEnd(hasEvent);
    };
    const begin = async (): Promise<void> => {
      const stub = await this.#stub();
      if (isOver) return;
      const call = this.#beginRead(stub, request);
      cancel = () => call.cancel();
      call.on('data', (answer: ReadResp) => {
        if (answer.hasEvent()) end(true);
      });
      call.on('error', () => end(false));
      call.on('end', () => end(false));
    };
    begin().catch(() => end(false));
    return () => end(false);
  }

  /** The deadline of gRPC is not relied on: a server that is frozen was seen to let it pass. */
  #beginRead(stub: StreamsClient, request: ReadReq): ReturnType<StreamsClient['read']> {
    return stub.read(request, ...this.#client['callArguments']({ requiresLeader: true }, { deadline: Infinity }));
  }

  async #stub(): Promise<StreamsClient> {
    return await (this.#client as unknown as Inner).getGRPCClient(streamsGrpc.StreamsClient, 'Surety');
  }

  async #make<T>(limitMs: number, begin: StartCall<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    let stub: StreamsClient | undefined;
    let cancel = (): void => {};
    let isLate = false;
    const limit = setTimeout(() => {
      isLate = true;
      reject(noAnswer(limitMs));
      cancel();
      if (stub !== undefined) this.#closeIfSilent(stub);
    }, limitMs);
    const start = async (): Promise<void> => {
      const connected = await this.#stub();
      if (isLate) return;
      stub = connected;
      this.#unansweredSince ??= performance.now();
      const markAnswered = (): void => {
        // A call that was cancelled at its limit ends too.
        if (!isLate) this.#unansweredSince = undefined;
      };
      const answered = (): void => {
        markAnswered();
        if (!isLate) limit.refresh();
      };
      const ended = (outcome: T): void => {
        markAnswered();
        resolve(outcome);
      };
      const failed = (error: Error): void => {
        markAnswered();
        // Connects again, to the leader if need be, when the error says that it should.
        void this.#client['handleError'](connected, error);
        reject(asCommandError(error));
      };
      try {
        cancel = begin(stub, { ended, failed, answered });
      } catch (error) {
        // The error of another call has closed the connection since.
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

  /** The next call opens another connection, in a cluster to another node if that leads now. */
  #closeIfSilent(stub: StreamsClient): void {
    if (this.#unansweredSince === undefined || performance.now() - this.#unansweredSince < silenceLimitMs) return;
    this.#unansweredSince = undefined;
    void this.#client['handleError'](stub, new UnavailableError());
  }
}

function asCommandError(error: Error): Error {
  try {
    return convertToCommandError(error);
  } catch {
    // It lacks what the client expects of its kind.
    return error;
  }
}
