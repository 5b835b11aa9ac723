import type { EventStore } from '#stores/event-log/event-log.ts';
import { formatLogPoint } from '#stores/event-log/log-identity.ts';
import { findLeaders } from '../lease/leadership.ts';
import { updateInstallation } from '#stores/records/installation.ts';
import { WriterFenced, type Lease, type Records } from '#stores/records/records.ts';
import { OperatorError } from '#stores/shared/operator-error.ts';
import type { StartPosition } from '../runtime/checkpoint.ts';
import { startPointOf } from '../runtime/initial-checkpoints.ts';
import { publicEventsCheckpoint } from './relay.ts';

/** The role that sends public events; also the name of its lease. */
const ROLE = 'relay';
const HOLDER = 'surety replay';
const RELAY_RUNS = 'A relay runs: stop every process that has the role relay first.';

interface ReplayParts {
  readonly records: Records;
  readonly eventStore: Pick<EventStore, 'lastPosition' | 'readAt'>;
  readonly pause: (milliseconds: number) => Promise<void>;
}

/**
 * Resets the checkpoint of public events, so that the relay sends everything after it again. It holds the lease of the relay, so a
 * relay that was frozen meanwhile cannot overwrite the checkpoint. A kill leaves the old checkpoint or the new one.
 * @param from must not be after the checkpoint, because the events in between would not be sent
 * @param createTopics creates missing topics before the lease is released; only then is `from` stored as the start of the relay
 * @throws {OperatorError} while a relay runs, or when `from` is after the checkpoint or not a position of the log
 */
export async function replayPublicEvents(
  from: Exclude<StartPosition, 'end'>,
  { records, eventStore, pause }: ReplayParts,
  createTopics?: () => Promise<void>,
): Promise<void> {
  const point = await startPointOf(from, eventStore, await eventStore.lastPosition());
  const lease = await acquireLease(records, pause);
  // The lease is not renewed during the work, so another process may take it.
  const requireLease = async (): Promise<void> => {
    if ((await records.renewLease(ROLE, lease)) === undefined) throw new OperatorError(RELAY_RUNS);
  };
  try {
    const checkpoint = publicEventsCheckpoint(records).withFence(lease);
    const { position: sent } = (await checkpoint.read()) ?? { position: 0n };
    if (point !== undefined && point.position > sent)
      throw new OperatorError(
        `--from ${point.position} is after position ${sent}, up to which public events were sent.`,
      );
    if (createTopics !== undefined) {
      // First: after a kill in between, the checkpoint differs from the start of the relay, so setup creates no missing topic.
      const relayStart = { [checkpoint.name]: formatLogPoint(point) };
      await updateInstallation(records, (now) => ({ ...now, relayStart: { ...now.relayStart, ...relayStart } }));
    }
    await checkpoint.save(point);
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
  // Read first: if a relay takes the lease during `findLeaders`, taking it here fails.
  const current = await records.readLease(ROLE);
  const leading = await findLeaders(records, [ROLE], { pause, atLeastMs: 0 });
  const lease = leading.length > 0 ? undefined : await records.acquireLease(ROLE, HOLDER, current);
  if (lease === undefined) throw new OperatorError(RELAY_RUNS);
  try {
    await publicEventsCheckpoint(records).withFence(lease).read();
    return lease;
  } catch (error) {
    if (!(error instanceof WriterFenced)) throw error;
    // After a restore the leases may be older than the fences.
    const higher = await records.acquireLease(ROLE, HOLDER, lease, error.token);
    if (higher === undefined) throw new OperatorError(RELAY_RUNS, { cause: error });
    return higher;
  }
}
