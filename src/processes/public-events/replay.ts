import type { EventStore } from '../../event-store/event-store.ts';
import { findLeaders } from '../../migration/leaders.ts';
import { updateInstallation } from '../../records/installation.ts';
import { WriterFenced, type Lease, type Records } from '../../records/records.ts';
import { OperatorError } from '../../operator-error.ts';
import { checkpointValue, type From } from '../checkpoint.ts';
import { positionOf } from '../initial-checkpoints.ts';
import { publicEventsCheckpoint } from './relay.ts';

/** The role, and so the lease, that sends public events. */
const ROLE = 'relay';
const HOLDER = 'surety replay';
const RELAY_RUNS = 'A relay runs: stop every process that has the role relay first.';

interface ReplayParts {
  readonly records: Records;
  readonly eventStore: Pick<EventStore, 'lastPosition' | 'readAt'>;
  readonly pause: (milliseconds: number) => Promise<void>;
}

/**
 * Sets the checkpoint of public events back, so that a relay sends everything after it again. This is done under the lease of the
 * relay: one that was frozen meanwhile can save nothing over it. A kill leaves the old checkpoint or the new one.
 * @param from never after the checkpoint: the events in between would not be sent
 * @param createTopics creates missing topics, before the lease is given back; only then is the position a new start of the relay
 * @throws {OperatorError} while a relay runs, or when `from` is not a position to go back to
 */
export async function replayPublicEvents(
  from: Exclude<From, 'end'>,
  { records, eventStore, pause }: ReplayParts,
  createTopics?: () => Promise<void>,
): Promise<void> {
  const position = await positionOf(from, eventStore, await eventStore.lastPosition());
  const lease = await acquireLease(records, pause);
  // No beat is sent while the work runs, so another process may take the lease over.
  const requireLease = async (): Promise<void> => {
    if ((await records.renewLease(ROLE, lease)) === undefined) throw new OperatorError(RELAY_RUNS);
  };
  try {
    const checkpoint = publicEventsCheckpoint(records).under(lease);
    const current = await checkpoint.read();
    if (position !== undefined && position > (current ?? 0n))
      throw new OperatorError(
        `--from ${position} is after position ${current ?? 0n}, up to which public events were sent.`,
      );
    if (createTopics !== undefined) {
      // First: after a kill the checkpoint is not where the relay started, so no missing topic is created by accident.
      const relayStart = { [checkpoint.name]: checkpointValue(position) };
      await updateInstallation(records, (now) => ({ ...now, relayStart: { ...now.relayStart, ...relayStart } }));
    }
    await checkpoint.save(position);
    await requireLease();
    if (createTopics === undefined) return;
    await createTopics();
    await requireLease();
  } catch (error) {
    throw error instanceof WriterFenced ? new OperatorError(RELAY_RUNS, { cause: error }) : error;
  } finally {
    await records.releaseLease(ROLE, lease);
  }
}

/** @throws {OperatorError} while a relay runs */
async function acquireLease(records: Records, pause: ReplayParts['pause']): Promise<Lease> {
  // Read before it is watched: a relay that takes it meanwhile changes it.
  const seen = await records.readLease(ROLE);
  const leading = await findLeaders(records, [ROLE], { pause, atLeastMs: 0 });
  const lease = leading.length > 0 ? undefined : await records.acquireLease(ROLE, HOLDER, seen);
  if (lease === undefined) throw new OperatorError(RELAY_RUNS);
  try {
    await publicEventsCheckpoint(records).under(lease).read();
    return lease;
  } catch (error) {
    if (!(error instanceof WriterFenced)) throw error;
    // A restore may have lost the leases and not the fences.
    const above = await records.acquireLease(ROLE, HOLDER, lease, error.token);
    if (above === undefined) throw new OperatorError(RELAY_RUNS, { cause: error });
    return above;
  }
}
