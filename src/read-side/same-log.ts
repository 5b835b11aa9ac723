import type { EventStore } from '#stores/event-log/event-log.ts';
import { requireLogIdentity } from '#stores/event-log/log-identity.ts';
import type { Checkpoint } from '#stores/read-models/read-models.ts';

const REMEDY =
  'The read models were built from another log: if the log was restored from a backup, delete them, and the projector rebuilds them; else it has lost its end: keep them (docs/runbook.md, A damaged log)';

/**
 * Checks that the log has the newest event that read models reflect.
 * @throws {LogMismatch} @throws {StoreUnavailable}
 */
export async function requireSameLog(
  checkpoint: Checkpoint | undefined,
  eventStore: Pick<EventStore, 'lastPosition' | 'readAt'>,
): Promise<void> {
  const newest = checkpoint && { position: checkpoint.position, id: checkpoint.eventId };
  await requireLogIdentity('The newest event of the read models', newest, eventStore, REMEDY);
}
