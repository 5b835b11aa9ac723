import { beforeEach, describe, expect, test } from '@jest/globals';
import { ManualClock } from '#test/support/manual-clock.ts';
import { type StoreName, StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import type { CheckResult } from '#service/observability/health-checks.ts';
import { OutageLog } from './outage-log.ts';

const PARTS = ['event_store', 'read_models', 'records'];

let time: ManualClock;
let outages: OutageLog;
let away: Set<string>;
let lines: object[];
beforeEach(() => {
  time = new ManualClock();
  away = new Set();
  lines = [];
  const results = async (): Promise<readonly CheckResult[]> =>
    await Promise.resolve(PARTS.map((name) => ({ name, ok: !away.has(name), seconds: 0 })));
  const log = (details: object, message: string): void => void lines.push({ ...details, message });
  outages = new OutageLog({ log: { warn: log, info: log }, results, monotonic: time.monotonic, pause: time.pause });
});

const refuse = (store: StoreName | undefined, message: string, count = 1): void => {
  const error = new StoreUnavailable(message, store === undefined ? {} : { store });
  for (let request = 0; request < count; request++) outages.recordRefusal(error);
};

const BEGIN = 'A store does not answer; requests that need it are refused';
const END = 'The store answers again';
const STOP = 'The service stops while a store does not answer';

describe('the log of outages', () => {
  test('logs the start of an outage, and its end with duration and refused requests', async () => {
    away.add('event_store');
    refuse('EventStoreDB', 'EventStoreDB does not answer', 2_500);
    await time.advance(20_000);
    refuse('EventStoreDB', 'Whether EventStoreDB has written to policy-1 is unknown', 10);
    expect(lines).toEqual([{ store: 'EventStoreDB', reason: 'EventStoreDB does not answer', message: BEGIN }]);
    away.clear();
    await time.advance(10_000);
    expect(lines.slice(1)).toEqual([{ store: 'EventStoreDB', seconds: 21, refused: 2_510, message: END }]);
  });

  test('keeps an outage open while requests are refused, even if the store answers a ping', async () => {
    for (let second = 0; second < 30; second++) {
      refuse('SQLite', 'The events could not be written');
      await time.advance(1_000);
    }
    expect(lines).toHaveLength(1);
    await time.advance(10_000);
    expect(lines.slice(1)).toEqual([{ store: 'SQLite', seconds: 30, refused: 30, message: END }]);
  });

  test('reports each store separately', async () => {
    away.add('event_store').add('records');
    refuse('EventStoreDB', 'EventStoreDB does not answer', 3);
    refuse('MongoDB', 'MongoDB: connection closed', 4);
    away.delete('records');
    await time.advance(10_000);
    expect(lines).toMatchObject([{ store: 'EventStoreDB' }, { store: 'MongoDB' }, { store: 'MongoDB', refused: 4 }]);
    away.clear();
    await time.advance(10_000);
    expect(lines.slice(3)).toMatchObject([{ store: 'EventStoreDB', refused: 3, message: END }]);
  });

  test('logs nothing for a request that failed while the stores answer', async () => {
    refuse(undefined, 'The read models have not caught up with the log');
    await time.advance(10_000);
    expect(lines).toEqual([]);
  });

  test('reports the next outage', async () => {
    refuse('MongoDB', 'MongoDB does not answer');
    await time.advance(10_000);
    refuse('MongoDB', 'MongoDB does not answer', 2);
    await time.advance(10_000);
    expect(lines).toMatchObject([{}, { refused: 1 }, { message: BEGIN }, { refused: 2, message: END }]);
  });

  test('reports an open outage at stop, and nothing afterwards', async () => {
    away.add('read_models');
    refuse('MongoDB', 'MongoDB does not answer', 7);
    await time.advance(5_000);
    outages.stop();
    away.clear();
    await time.advance(10_000);
    expect(lines.slice(1)).toEqual([{ store: 'MongoDB', seconds: 5, refused: 7, message: STOP }]);
  });
});
