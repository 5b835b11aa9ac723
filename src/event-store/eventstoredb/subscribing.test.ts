import { PassThrough } from 'node:stream';

import type { EventStoreDBClient } from '@eventstore/db-client';
import { expect, test } from '@jest/globals';

import type { Reader } from './reading.ts';
import { subscribe } from './subscribing.ts';

test('a subscription asks the leader of the cluster, as every read does: another node may be behind for long', async () => {
  const asked: unknown[] = [];
  const stopping = new AbortController();
  const subscribeToAll = (options: unknown): unknown => {
    asked.push(options);
    return Object.assign(new PassThrough({ objectMode: true }), { unsubscribe: async () => {} });
  };
  const client = { subscribeToAll } as unknown as EventStoreDBClient;
  const reader = { lastPosition: async () => await Promise.resolve(7n) } as unknown as Reader;
  const options = { after: 7n, batch: 10, signal: stopping.signal };
  for await (const message of subscribe(client, reader, options)) {
    expect(message).toEqual({ kind: 'caught_up', position: 7n });
    stopping.abort();
  }
  expect(asked).toEqual([expect.objectContaining({ requiresLeader: true })]);
});
