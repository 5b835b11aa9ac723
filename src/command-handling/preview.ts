import {
  type Append,
  type AppendResult,
  type EventStore,
  type StoredEvent,
  WrongExpectedRevision,
} from '../event-store/event-store.ts';
import type { AnyCommand } from './command.ts';
import { executeCommand } from './execute-command.ts';
import type { ExecutionPorts } from './ports.ts';
import type { CommandOutcome, CommandRequest } from './request.ts';
import { SequenceQueue } from './sequence-queue.ts';
import { StreamCache } from './stream-cache.ts';

/**
 * Executes a command, and what it executes first, on events that are forgotten afterwards: returns what it would do now, and appends nothing.
 * For commands that write to the event store alone.
 * @throws {Refusal} as the command
 * @throws {StoreUnavailable}
 */
export async function previewCommand(
  command: AnyCommand,
  request: CommandRequest,
  ports: ExecutionPorts,
): Promise<CommandOutcome> {
  const forgetful = {
    ...ports,
    eventStore: forgetfulStore(ports.eventStore),
    streamCache: new StreamCache(),
    sequences: new SequenceQueue(),
  };
  return await executeCommand(command, { ...request, idempotency: undefined }, forgetful);
}

/** Returns an event store that reads from another one, and keeps what is appended to it in memory. */
function forgetfulStore(store: ExecutionPorts['eventStore']): ExecutionPorts['eventStore'] {
  const added = new Map<string, StoredEvent[]>();
  let position = 0n;

  const readStream: EventStore['readStream'] = async (stream, { from = 0, limit = Number.POSITIVE_INFINITY } = {}) => {
    const stored = await store.readStream(stream, { from, limit });
    const later = (added.get(stream) ?? []).filter(({ revision }) => revision >= from);
    return [...stored, ...later].slice(0, limit);
  };

  const appendOne = async ({ stream, expected, events }: Append): Promise<AppendResult> => {
    const last = added.get(stream)?.at(-1) ?? (await store.readLast(stream));
    const actual = last?.revision ?? -1;
    if (actual !== (expected === 'no_stream' ? -1 : expected))
      throw new WrongExpectedRevision(stream, expected, last?.revision);
    const written = events.map((event, index) => {
      position += 1n;
      return { ...event, stream, revision: actual + 1 + index, position };
    });
    added.set(stream, [...(added.get(stream) ?? []), ...written]);
    return { revision: actual + written.length, position, events: written };
  };

  return {
    readStream,
    readLast: async (stream) => added.get(stream)?.at(-1) ?? (await store.readLast(stream)),
    append: async (appends) => {
      const results: AppendResult[] = [];
      for (const each of appends) results.push(await appendOne(each));
      return results;
    },
  };
}
