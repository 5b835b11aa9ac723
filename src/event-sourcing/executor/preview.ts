import {
  type Append,
  type AppendResult,
  type EventStore,
  type StoredEvent,
  WrongExpectedRevision,
} from '#stores/event-log/event-log.ts';
import type { AnyCommand } from './command.ts';
import { executeCommand } from './execute-command.ts';
import type { ExecutionPorts } from './ports.ts';
import type { CommandOutcome, CommandRequest } from './request.ts';
import { SequenceQueue } from './sequence-queue.ts';
import { StateCache } from './state-cache.ts';

/**
 * Executes a command, and what it executes first, on an overlay of the event store: returns what it would do now, and
 * appends nothing. For commands that write to the event store alone.
 * @throws {Refusal} as the command
 * @throws {StoreUnavailable}
 */
export async function previewCommand(
  command: AnyCommand,
  request: CommandRequest,
  ports: ExecutionPorts,
): Promise<CommandOutcome> {
  const overlaid = {
    ...ports,
    eventStore: overlayStore(ports.eventStore),
    stateCache: new StateCache(),
    sequences: new SequenceQueue(),
  };
  return await executeCommand(command, { ...request, idempotency: undefined }, overlaid);
}

/**
 * Returns an event store that reads from another one, and keeps what is appended to it in memory. A stream that has
 * such events ends with them, whatever is appended to the other store meanwhile.
 */
export function overlayStore(store: ExecutionPorts['eventStore']): ExecutionPorts['eventStore'] {
  const overlay = new Map<string, readonly StoredEvent[]>();
  // No reader compares the positions of the overlay with those of the store.
  let position = 0n;

  const readStream: EventStore['readStream'] = async (stream, options = {}) => {
    const added = overlay.get(stream);
    if (added === undefined) return await store.readStream(stream, options);
    const { from = 0, limit } = options;
    const [first] = added;
    const stored = await store.readStream(stream, { from, ...(limit === undefined ? {} : { limit }) });
    const before = stored.filter(({ revision }) => first === undefined || revision < first.revision);
    return [...before, ...added.filter(({ revision }) => revision >= from)].slice(0, limit);
  };

  const readLast = async (stream: string): Promise<StoredEvent | undefined> =>
    overlay.get(stream)?.at(-1) ?? (await store.readLast(stream));

  const appendOne = async ({ stream, expected, events }: Append): Promise<AppendResult> => {
    const last = await readLast(stream);
    const actual = last?.revision ?? -1;
    if (actual !== (expected === 'no_stream' ? -1 : expected))
      throw new WrongExpectedRevision(stream, expected, last?.revision);
    const written = events.map((event, index) => {
      position += 1n;
      return { ...event, stream, revision: actual + 1 + index, position };
    });
    overlay.set(stream, [...(overlay.get(stream) ?? []), ...written]);
    return { revision: actual + written.length, position, events: written };
  };

  return {
    readStream,
    readLast,
    append: async (appends) => {
      const results: AppendResult[] = [];
      for (const each of appends) results.push(await appendOne(each));
      return results;
    },
  };
}
