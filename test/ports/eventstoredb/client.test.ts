import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { describe, expect, jest, test } from '@jest/globals';

import { openEventStoreDB } from '../../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import { events, newStream } from '../event-store/subject.ts';
import { World } from '../../servers/eventstoredb/support/world.ts';

describe('the client of EventStoreDB', () => {
  test.each([
    'http://127.0.0.1:2113',
    'mongodb://127.0.0.1',
    'esdb://127.0.0.1:2113?tls=false&throwOnAppendFailure=false',
  ])('given the address %s, when the store is opened, then it is refused', (url) => {
    expect(() => openEventStoreDB({ url })).toThrow(TypeError);
  });

  test('given an address without intervals, when the store is opened, then it warns of nothing and connects to nothing', async () => {
    const warn = jest.spyOn(globalThis.console, 'warn');
    const store = openEventStoreDB({ url: 'esdb://127.0.0.1:1?tls=false&keepAliveTimeout=5000' });
    await store.close();
    await store.close();
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  test('given a store that was used and closed, when the program has nothing else to do, then it ends', async () => {
    const world = await World.start();
    const module = fileURLToPath(
      new URL('../../../src/event-store/eventstoredb/eventstoredb-event-store.ts', import.meta.url),
    );
    const program = `
      import { openEventStoreDB } from ${JSON.stringify(module)};
      const store = openEventStoreDB({ url: ${JSON.stringify(world.server.url)} });
      await store.append(${JSON.stringify(newStream())}, 'no_stream', ${JSON.stringify(events(1))});
      const stop = new AbortController();
      for await (const message of store.subscribe({ after: undefined, batch: 10, signal: stop.signal })) {
        if (message.kind === 'caught_up') stop.abort();
      }
      await store.close();
    `;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' });
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(0);
    await world.dispose();
  });
});
