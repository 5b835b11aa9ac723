import { convertToCommandError } from '@eventstore/db-client';
import type { EventStoreDBClient, ResolvedEvent } from '@eventstore/db-client';
import { convertGrpcEvent } from '@eventstore/db-client/dist/utils/convertGrpcEvent.js';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { AppendReq, AppendResp, ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';

import { lostConnection } from './errors.ts';
import { noAnswer } from './time-limit.ts';

/** A call that has begun. What it tells after its end is nobody's. */
interface Course<T> {
  readonly ended: (outcome: T) => void;
  readonly failed: (error: Error) => void;
  /** The server has said something: its time begins anew. */
  readonly heard: () => void;
}

/** Begins a call, and says how it is given up. */
type Begin<T> = (stub: StreamsClient, course: Course<T>) => () => void;

/** What is taken from the client though it is not public; its version is pinned. */
interface Inner {
  /** Connects, where nothing is connected. */
  getGRPCClient(type: typeof streamsGrpc.StreamsClient, name: string): Promise<StreamsClient>;
}

/**
 * The calls that are made by the thousand, straight on the connection that the client keeps. The client's own functions for them
 * let an error that is thrown at once end the process (`append`), or cost half as much again (both).
 */
export class Calls {
  readonly #client: EventStoreDBClient;

  constructor(client: EventStoreDBClient) {
    this.#client = client;
  }

  /**
   * The call `Append`: whatever it throws, the events may have been written. @throws the client's errors
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
   * The call `Read`, to its end; nothing when there is no such stream. @throws the client's errors
   * @throws {StoreUnavailable} when nothing has come for `limitMs`
   */
  async read(request: ReadReq, limitMs: number): Promise<ResolvedEvent[]> {
    const answers = await this.#make<ReadResp[]>(limitMs, (stub, { ended, failed, heard }) => {
      // The deadline of gRPC is not relied on: a server that is frozen was seen to let it pass.
      const arguments_ = this.#client['callArguments']({ requiresLeader: true }, { deadline: Infinity });
      const call = stub.read(request, ...arguments_);
      const all: ReadResp[] = [];
      call.on('data', (answer: ReadResp) => {
        all.push(answer);
        heard();
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

  async #make<T>(limitMs: number, begin: Begin<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    let giveUp = (): void => {};
    let late = false;
    const limit = setTimeout(() => {
      late = true;
      reject(noAnswer(limitMs));
      giveUp();
    }, limitMs);
    const start = async (): Promise<void> => {
      const stub = await (this.#client as unknown as Inner).getGRPCClient(streamsGrpc.StreamsClient, 'Surety');
      if (late) return;
      const failed = (error: Error): void => {
        // Connects anew, to the leader if need be, when the error says that it should.
        void this.#client['handleError'](stub, error);
        reject(asCommandError(error));
      };
      try {
        giveUp = begin(stub, { ended: resolve, failed, heard: () => limit.refresh() });
      } catch (error) {
        // The error of another call has closed the connection since.
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
}

function asCommandError(error: Error): Error {
  try {
    return convertToCommandError(error);
  } catch {
    // It lacks what the client expects of its kind.
    return error;
  }
}
