import type { EventStore, Position } from '../event-store/event-store.ts';
import { OperatorError } from '../operator-error.ts';
import { type Checkpoint, checkpointValue, type From } from './checkpoint.ts';

type Log = Pick<EventStore, 'lastPosition' | 'readAt'>;

/** What an operator reads who sets up processes on a log that has events and does not say where they start. */
export const FROM_NEEDED =
  'The log has events, and it is not known where mails and public events start: run surety setup with --from start, ' +
  '--from end or --from POSITION first.';

/**
 * Returns the initial value of each checkpoint that has none, by its name: the start of an empty log. On a log with events the
 * operator must say it: a process that starts too early repeats what outsiders have seen, one that starts too late leaves events out.
 * @param otherwise the message where the operator does not say it
 * @throws {OperatorError} also when `from` is no position of the log
 */
export async function initialValues(
  checkpoints: readonly Checkpoint[],
  eventStore: Log,
  from: From | undefined,
  otherwise: string = FROM_NEEDED,
): Promise<Readonly<Record<string, string>>> {
  // Read before the checkpoints: another process that initialises them meanwhile may append events at once.
  const end = await eventStore.lastPosition();
  const missing = await uninitialised(checkpoints);
  if (missing.length === 0) return {};
  if (end !== undefined && from === undefined) throw new OperatorError(otherwise);
  const value = checkpointValue(await positionOf(from ?? 'start', eventStore, end));
  return Object.fromEntries(missing.map(({ name }) => [name, value]));
}

/** Refuses to go on where a checkpoint has no value. @throws {OperatorError} with this message */
export async function requireInitialised(checkpoints: readonly Checkpoint[], otherwise: string): Promise<void> {
  if ((await uninitialised(checkpoints)).length > 0) throw new OperatorError(otherwise);
}

/**
 * Returns the position after which a process starts; undefined: at the first event.
 * @param end the last position of the log
 * @throws {OperatorError} when it is no position of the log
 */
export async function positionOf(
  from: From,
  eventStore: Log,
  end: Position | undefined,
): Promise<Position | undefined> {
  if (typeof from === 'bigint' && (end === undefined || from > end))
    throw new OperatorError(`--from ${from} is beyond the end of the log, which is ${end ?? 'empty'}.`);
  if (end === undefined || from === 'start' || from === 0n) return undefined;
  if (from === 'end' || from === end) return end;
  await requireEventAt(from, eventStore);
  return from;
}

async function uninitialised(checkpoints: readonly Checkpoint[]): Promise<readonly Checkpoint[]> {
  const areInitialised = await Promise.all(checkpoints.map(async (checkpoint) => await checkpoint.hasBegun()));
  return checkpoints.filter((_, index) => areInitialised[index] === false);
}

/** A process later recognises its log by the event at its checkpoint. @throws {OperatorError} */
async function requireEventAt(position: Position, eventStore: Log): Promise<void> {
  if ((await eventStore.readAt(position)) === undefined)
    throw new OperatorError(`--from ${position} is not the position of an event of the log.`);
}
