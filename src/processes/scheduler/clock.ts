import { z } from 'zod';
import type { CommandPorts } from '#event-sourcing/executor/ports.ts';
import { rawRecordedAt } from '#event-sourcing/codec.ts';
import { type Instant, instant } from '#event-sourcing/time.ts';
import type { EventStore } from '#stores/event-log/event-log.ts';
import { TakenOver } from '#stores/shared/taken-over.ts';

export const SCHEDULER_CLOCK = 'scheduler-clock';

/** How far the clock may be behind and ahead of the last known time. */
const LIMITS = { earlierMs: 5 * 60_000, laterMs: 31 * 24 * 60 * 60_000 };

const stored = z.object({ time: instant });

type Parts = Pick<CommandPorts, 'records' | 'now'>;

interface CheckedClock {
  readonly now: Instant;
  /** Why the scheduler must not act by this clock; undefined when it may. */
  readonly disagreement: string | undefined;
}

/**
 * Compares the clock with the last known time: that of the last run or, before the first, of the newest event. Saves
 * the time when they agree.
 * @param newest when the newest event was recorded, read before this process could append one
 * @throws {TakenOver} @throws {StoreUnavailable}
 */
export async function checkClock({ records, now }: Parts, newest: Instant | undefined): Promise<CheckedClock> {
  const saved = await records.getRevised(SCHEDULER_CLOCK);
  const last = saved === undefined ? newest : stored.parse(JSON.parse(saved.value)).time;
  const time = now();
  const disagreement = last === undefined ? undefined : disagreementOf(time, last);
  if (disagreement === undefined || saved === undefined) {
    // Saved also on disagreement, because this process may append the newest event of the next start.
    const next = JSON.stringify({ time: disagreement === undefined ? time : last });
    if (!(await records.replaceValue(SCHEDULER_CLOCK, saved?.revision, next))) throw new TakenOver(SCHEDULER_CLOCK);
  }
  return { now: time, disagreement };
}

export async function acceptClock({ records, now }: Parts): Promise<Instant> {
  const time = now();
  await records.setValue(SCHEDULER_CLOCK, JSON.stringify({ time }));
  return time;
}

function disagreementOf(time: Instant, last: Instant): string | undefined {
  const aheadMs = Date.parse(time) - Date.parse(last);
  if (aheadMs >= -LIMITS.earlierMs && aheadMs <= LIMITS.laterMs) return undefined;
  const how = aheadMs < 0 ? 'more than 5 minutes earlier' : 'more than 31 days later';
  return (
    `the clock shows ${time}, ${how} than ${last}, the last known time: nothing is activated or renewed. ` +
    'Correct the clock; if it is right, start once with surety serve --accept-clock'
  );
}

export async function newestRecordedAt(
  eventStore: Pick<EventStore, 'lastPosition' | 'readAt'>,
): Promise<Instant | undefined> {
  const end = await eventStore.lastPosition();
  if (end === undefined) return undefined;
  const newest = await eventStore.readAt(end);
  return newest === undefined ? undefined : rawRecordedAt(newest);
}
