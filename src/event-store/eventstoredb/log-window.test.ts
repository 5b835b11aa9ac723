import { describe, expect, test } from '@jest/globals';

import type { StoredEvent } from '../event-store.ts';
import { LogWindow } from './log-window.ts';
import type { LogRecord } from './reading.ts';

/** Records at these positions; negative ones are the server's own. */
const records = (...positions: readonly number[]): LogRecord[] =>
  positions.map((number) => {
    const position = BigInt(Math.abs(number));
    return { id: String(number), position, event: number < 0 ? undefined : ({ position } as StoredEvent) };
  });

const found = (window: LogWindow, position: bigint, count = 10): number[] | undefined =>
  window.after(position, count)?.map((event) => Number(event.position));

describe('the window of the log reader', () => {
  test('holds the events after the position with which it began, for each reader from its own', () => {
    const window = new LogWindow(10n);
    window.add(records(20, 30, -35, 40), 5);
    expect(found(window, 10n)).toEqual([20, 30, 40]);
    expect(found(window, 20n, 1)).toEqual([30]);
    expect(found(window, 40n)).toEqual([]);
    expect(found(window, 99n)).toEqual([]);
    expect(found(window, 9n)).toBeUndefined();
  });

  test('drops the oldest events, and then does not serve readers that lack them', () => {
    const window = new LogWindow(0n);
    window.add(records(10, 20, 30), 3);
    window.add(records(40), 3);
    expect(found(window, 0n)).toBeUndefined();
    expect(found(window, 10n)).toEqual([20, 30, 40]);
    window.add(records(50, 60, 70), 3);
    expect(found(window, 30n)).toBeUndefined();
    expect(found(window, 40n)).toEqual([50, 60, 70]);
  });

  test("goes on at the last record, also at one of the server's own, and counts pages without events", () => {
    const window = new LogWindow(0n);
    expect(window.mark).toBeUndefined();
    window.add(records(10, -20), 2);
    expect(window).toMatchObject({ mark: { position: 20n, id: '-20' }, end: 10n, isBehind: true, emptyPages: 0 });
    window.add(records(-30), 2);
    window.add([], 2);
    expect(window).toMatchObject({ mark: { position: 30n, id: '-30' }, end: 10n, isBehind: false, emptyPages: 2 });
    window.add(records(40), 2);
    expect(window).toMatchObject({ end: 40n, emptyPages: 0 });
  });
});
