import { describe, expect, test } from '@jest/globals';

import type { StoredEvent } from '../event-log.ts';
import { RecentEvents } from './recent-events.ts';
import type { LogRecord } from './reader.ts';

/** Creates records at these positions; negative ones are system events. */
const records = (...positions: readonly number[]): LogRecord[] =>
  positions.map((number) => {
    const position = BigInt(Math.abs(number));
    return { id: String(number), position, event: number < 0 ? undefined : ({ position } as StoredEvent) };
  });

const eventsAfter = (recent: RecentEvents, position: bigint, count = 10): number[] | undefined =>
  recent.after(position, count)?.map((event) => Number(event.position));

describe('the cache of recent events', () => {
  test('returns events after the position of each subscription', () => {
    const recent = new RecentEvents(10n);
    recent.add(records(20, 30, -35, 40), 5);
    expect(eventsAfter(recent, 10n)).toEqual([20, 30, 40]);
    expect(eventsAfter(recent, 20n, 1)).toEqual([30]);
    expect(eventsAfter(recent, 40n)).toEqual([]);
    expect(eventsAfter(recent, 99n)).toEqual([]);
    expect(eventsAfter(recent, 9n)).toBeUndefined();
  });

  test('drops the oldest events, and returns undefined to subscriptions that still need them', () => {
    const recent = new RecentEvents(0n);
    recent.add(records(10, 20, 30), 3);
    recent.add(records(40), 3);
    expect(eventsAfter(recent, 0n)).toBeUndefined();
    expect(eventsAfter(recent, 10n)).toEqual([20, 30, 40]);
    recent.add(records(50, 60, 70), 3);
    expect(eventsAfter(recent, 30n)).toBeUndefined();
    expect(eventsAfter(recent, 40n)).toEqual([50, 60, 70]);
  });

  test('continues after the last record, also after a system event, and counts pages without application events', () => {
    const recent = new RecentEvents(0n);
    expect(recent.lastRecord).toBeUndefined();
    recent.add(records(10, -20), 2);
    expect(recent).toMatchObject({
      lastRecord: { position: 20n, id: '-20' },
      lastPosition: 10n,
      hasMore: true,
      emptyPages: 0,
    });
    recent.add(records(-30), 2);
    recent.add([], 2);
    expect(recent).toMatchObject({
      lastRecord: { position: 30n, id: '-30' },
      lastPosition: 10n,
      hasMore: false,
      emptyPages: 2,
    });
    recent.add(records(40), 2);
    expect(recent).toMatchObject({ lastPosition: 40n, emptyPages: 0 });
  });
});
