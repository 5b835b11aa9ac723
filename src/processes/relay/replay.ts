import { randomUUID } from 'node:crypto';
import type { EventStore } from '#stores/event-log/event-log.ts';
import { formatLogPoint } from '#stores/event-log/log-identity.ts';
import { acquireFreeLease } from '../lease/leadership.ts';
import { updateInstallation } from '#stores/records/installation.ts';
import { TakenOver } from '#stores/shared/taken-over.ts';
import type { Records } from '#stores/records/records.ts';
import { OperatorError } from '#stores/shared/errors.ts';
import type { StartPosition } from '../runtime/checkpoint.ts';
import { startPointOf } from '../runtime/initial-checkpoints.ts';
import { publicEventsCheckpoint } from './relay.ts';

/** The role that sends public events; also the name of its lease. */
const ROLE = 'relay';
const RELAY_RUNS = 'A relay runs: stop every process that has the role relay first.';

interface ReplayParts {
  readonly records: Records;
  readonly eventStore: Pick<EventStore, 'lastPosition' | 'readAt'>;
  readonly pause: (milliseconds: number) => Promise<void>;
}

/**
 * Resets the checkpoint of public events, so that the relay sends everything after it again. It holds the lease of the
 * relay and takes the checkpoint over, so a relay that was frozen meanwhile cannot overwrite it. A kill leaves the old
 * checkpoint or the new one.
 * @param from must not be after the checkpoint, because the events in between would not be sent
 * @param createTopics creates missing topics before the lease is released; only then is `from` stored as the start of
 * the relay
 * @throws {OperatorError} while a relay runs, or when `from` is after the checkpoint or not a position of the log
 */
export async function replayPublicEvents(
  from: Exclude<StartPosition, 'end'>,
  { records, eventStore, pause }: ReplayParts,
  createTopics?: () => Promise<void>,
): Promise<void> {
  const point = await startPointOf(from, eventStore, await eventStore.lastPosition());
  const { leases } = records;
  const holder = `surety replay ${randomUUID()}`;
  if (leases !== undefined && !(await acquireFreeLease(leases, ROLE, holder, pause)))
    throw new OperatorError(RELAY_RUNS);
  // The lease is not renewed during the work, so another process may take it.
  const requireLease = async (): Promise<void> => {
    if (leases !== undefined && !(await leases.renewLease(ROLE, holder))) throw new OperatorError(RELAY_RUNS);
  };
  try {
    const checkpoint = publicEventsCheckpoint(records);
    const { position: sent } = (await checkpoint.takeOver()) ?? { position: 0n };
    if (point !== undefined && point.position > sent)
      throw new OperatorError(
        `--from ${point.position} is after position ${sent}, up to which public events were sent.`,
      );
    if (createTopics !== undefined) {
      // First: after a kill in between, the checkpoint differs from the start of the relay, so setup creates no missing
      // topic.
      const relayStart = { [checkpoint.name]: formatLogPoint(point) };
      await updateInstallation(records, (now) => ({ ...now, relayStart: { ...now.relayStart, ...relayStart } }));
    }
    await checkpoint.save(point);
    await requireLease();
    if (createTopics === undefined) return;
    await createTopics();
    await requireLease();
  } catch (error) {
    throw error instanceof TakenOver ? new OperatorError(RELAY_RUNS, { cause: error }) : error;
  } finally {
    await leases?.releaseLease(ROLE, holder);
  }
}
