import type { EventStore, Position } from '#stores/event-log/event-log.ts';
import { formatLogPoint, type EventReference } from '#stores/event-log/log-identity.ts';
import { OperatorError } from '#stores/shared/errors.ts';
import type { Checkpoint, StartPosition } from './checkpoint.ts';

type Log = Pick<EventStore, 'lastPosition' | 'readAt'>;

const FROM_REQUIRED =
  'The log has events, and it is not known where mails and public events start: run surety setup with --from start, ' +
  '--from end or --from POSITION first.';

/**
 * Returns the initial value of each checkpoint that has none, by its name. An empty log is read from its start. For a
 * log with events the operator must give the position: one that is too early sends messages twice, one that is too late
 * skips events.
 * @throws {OperatorError} when the log has events and `from` is undefined, or no position of the log
 */
export async function initialValues(
  checkpoints: readonly Checkpoint[],
  eventStore: Log,
  from: StartPosition | undefined,
): Promise<Readonly<Record<string, string>>> {
  // Read before the checkpoints: another process that initialises them meanwhile may append events at once.
  const end = await eventStore.lastPosition();
  const missing = await uninitialised(checkpoints);
  if (missing.length === 0) return {};
  if (end !== undefined && from === undefined) throw new OperatorError(FROM_REQUIRED);
  const value = formatLogPoint(await startPointOf(from ?? 'start', eventStore, end));
  return Object.fromEntries(missing.map(({ name }) => [name, value]));
}

/** Requires that each checkpoint on servers has a value. @throws {OperatorError} */
export async function requireInitialised(checkpoints: readonly Checkpoint[]): Promise<void> {
  if ((await uninitialised(checkpoints)).length === 0) return;
  throw new OperatorError('Surety is not set up on these servers: run surety setup first.');
}

/**
 * Returns the event after which a process starts; undefined: at the first event.
 * @param end the last position of the log
 * @throws {OperatorError} when `from` is not a position of the log
 */
export async function startPointOf(
  from: StartPosition,
  eventStore: Log,
  end: Position | undefined,
): Promise<EventReference | undefined> {
  if (typeof from === 'bigint' && (end === undefined || from > end))
    throw new OperatorError(`--from ${from} is beyond the end of the log, which is ${end ?? 'empty'}.`);
  if (end === undefined || from === 'start' || from === 0n) return undefined;
  const event = await eventStore.readAt(from === 'end' ? end : from);
  if (event === undefined) throw new OperatorError(`--from ${from} is not the position of an event of the log.`);
  return event;
}

async function uninitialised(checkpoints: readonly Checkpoint[]): Promise<readonly Checkpoint[]> {
  const areInitialised = await Promise.all(checkpoints.map(async (checkpoint) => await checkpoint.isInitialised()));
  return checkpoints.filter((_, index) => areInitialised[index] === false);
}
