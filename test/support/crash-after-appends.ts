import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import type { CommandHarness } from './command-harness.ts';
import { interceptAppends } from './intercept-appends.ts';

/** More turns of the event loop than the unfinished work of a crashed process takes. */
const TURNS = 50;

/**
 * Runs a function whose process crashes at the given append: that append is written but not answered, and later ones
 * are not written. With 0, the first append is not written either.
 * @returns the result or the thrown error, and whether the run reached the crash
 */
export async function crashAfterAppends(
  { eventStore }: CommandHarness,
  appends: number,
  run: () => Promise<unknown>,
): Promise<{ readonly result: unknown; readonly crashed: boolean }> {
  let count = 0;
  let crashed = false;
  const restore = interceptAppends(eventStore, async (append) => {
    count += 1;
    if (count < appends) return await append();
    crashed = true;
    if (count === appends) await append();
    throw new StoreUnavailable('killed');
  });
  const result = await run().catch((error: unknown) => error);
  for (let turn = 0; turn < TURNS; turn++) await nextTurn();
  restore();
  return { result, crashed };
}

/**
 * Returns the parts of a log that do not depend on whether a process crashed: without times and random ids, and sorted
 * by stream, because streams that are written concurrently have no fixed order.
 */
export function comparableEvents(log: readonly RecordedEvent[]) {
  const sorted = log.toSorted((a, b) =>
    a.stream === b.stream ? a.revision - b.revision : a.stream < b.stream ? -1 : 1,
  );
  return sorted.map(({ id, stream, revision, type, data, metadata }) => {
    const { decidedAt: _, ...facts } = data as { decidedAt?: string };
    const { recordedAt: _at, ...rest } = metadata;
    const stableId = stream.startsWith('idempotency-') ? undefined : id;
    return { id: stableId, stream, revision, type, facts, metadata: rest };
  });
}
