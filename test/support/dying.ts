import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Recorded } from '../../src/event-sourcing/event.ts';
import { StoreUnavailable } from '../../src/event-store/event-store.ts';
import type { CommandHarness } from './command-harness.ts';

/** More turns of the event loop than anything a dead process has left under way. */
const TURNS = 50;

/**
 * Runs what dies once it has made so many appends: the last of them is written and not answered, with 0 the first is not even
 * written, and nothing is written after it. Tells how it ended, and whether it came so far.
 */
export async function dying(
  { eventStore }: CommandHarness,
  appends: number,
  run: () => Promise<unknown>,
): Promise<{ readonly ended: unknown; readonly died: boolean }> {
  const intact = eventStore.append.bind(eventStore);
  let made = 0;
  let died = false;
  eventStore.append = async (...args) => {
    made += 1;
    if (made < appends) return await intact(...args);
    died = true;
    if (made === appends) await intact(...args);
    throw new StoreUnavailable('killed');
  };
  const ended = await run().catch((error: unknown) => error);
  for (let turn = 0; turn < TURNS; turn++) await nextTurn();
  eventStore.append = intact;
  return { ended, died };
}

/**
 * What is the same whether or not a process died on the way: everything but times, random ids, and the order in which streams
 * that are written side by side come.
 */
export function facts(log: readonly Recorded[]) {
  const byStream = log.toSorted((a, b) =>
    a.stream === b.stream ? a.revision - b.revision : a.stream < b.stream ? -1 : 1,
  );
  return byStream.map(({ id, stream, revision, type, data, metadata }) => {
    const { decidedAt: _, ...told } = data as { decidedAt?: string };
    const { recordedAt: _at, ...rest } = metadata;
    const known = stream.startsWith('idempotency-') ? undefined : id;
    return { id: known, stream, revision, type, told, metadata: rest };
  });
}
