import type { EventStore, Position } from '../event-store/event-store.ts';
import type { Checkpoint, From } from './checkpoint.ts';

type Log = Pick<EventStore, 'lastPosition' | 'readAll'>;

/** It is not known where a process begins. The message is a sentence for the operator. */
export class NotBegun extends Error {
  override readonly name = 'NotBegun';
}

/** What the operator is told of a log that has events, when nobody says where processes begin on it. */
export const FROM_NEEDED =
  'The log has events, and it is not known where mails and public events begin: run surety setup with --from start, ' +
  '--from end or --from POSITION first.';

/**
 * Says where processes begin that have never begun: at the beginning of an empty log. On a log that has events somebody must
 * say it, because whoever begins too early repeats what outsiders have seen, and whoever begins too late leaves them without.
 * @throws {NotBegun} with the last message when nobody does, or when what is said is no place of the log
 */
export async function beginAll(
  checkpoints: readonly Checkpoint[],
  eventStore: Log,
  from: From | undefined,
  otherwise: string = FROM_NEEDED,
): Promise<void> {
  // Asked first: what is appended meanwhile lies behind the beginning.
  const end = await eventStore.lastPosition();
  const missing = await notBegun(checkpoints);
  if (missing.length === 0) return;
  if (end !== undefined && from === undefined) throw new NotBegun(otherwise);
  const beginning = await placeOf(from ?? 'start', end, eventStore);
  for (const checkpoint of missing) await checkpoint.save(beginning);
}

/**
 * Lets processes begin anew, wherever they are: what they have sent is sent again. Nobody may lead them meanwhile.
 * @throws {NotBegun} when what is said is no place of the log
 */
export async function beginAnew(checkpoints: readonly Checkpoint[], eventStore: Log, from: From): Promise<void> {
  const end = await eventStore.lastPosition();
  const beginning = await placeOf(from, end, eventStore);
  for (const checkpoint of checkpoints) await checkpoint.save(beginning);
}

/** @throws {NotBegun} with this message when it is not known of all where they begin */
export async function demandBegun(checkpoints: readonly Checkpoint[], otherwise: string): Promise<void> {
  if ((await notBegun(checkpoints)).length > 0) throw new NotBegun(otherwise);
}

async function notBegun(checkpoints: readonly Checkpoint[]): Promise<readonly Checkpoint[]> {
  const begun = await Promise.all(checkpoints.map(async (checkpoint) => await checkpoint.hasBegun()));
  return checkpoints.filter((_, index) => begun[index] === false);
}

/** By it a process knows later that the log is still the same. @throws {NotBegun} */
async function demandEventAt(position: Position, eventStore: Log): Promise<void> {
  const [event] = await eventStore.readAll({ after: position - 1n, limit: 1 });
  if (event?.position !== position)
    throw new NotBegun(`--from ${position} is not the position of an event of the log.`);
}

/** The position behind which a process begins; undefined: at the first event. @throws {NotBegun} */
async function placeOf(from: From, end: Position | undefined, eventStore: Log): Promise<Position | undefined> {
  if (typeof from === 'bigint' && (end === undefined || from > end))
    throw new NotBegun(`--from ${from} lies behind the end of the log, which is ${end ?? 'empty'}.`);
  if (end === undefined || from === 'start' || from === 0n) return undefined;
  if (from === 'end' || from === end) return end;
  await demandEventAt(from, eventStore);
  return from;
}
