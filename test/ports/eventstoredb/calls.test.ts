import { UnavailableError } from '@eventstore/db-client';
import type { EventStoreDBClient } from '@eventstore/db-client';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { Appender } from '../../../src/event-store/eventstoredb/appending.ts';
import { Calls } from '../../../src/event-store/eventstoredb/calls.ts';
import { connect, disconnect } from '../../../src/event-store/eventstoredb/client.ts';
import { Reader } from '../../../src/event-store/eventstoredb/reading.ts';
import { World } from '../../servers/eventstoredb/support/world.ts';
import { events, ids, newStream } from '../event-store/subject.ts';

describe('calls of EventStoreDB that begin while another call closes the connection', () => {
  let world: World;
  let client: EventStoreDBClient;
  let calls: Calls;
  let reader: Reader;
  beforeEach(async () => {
    world = await World.start();
    client = connect(world.server.url);
    calls = new Calls(client);
    reader = new Reader(calls, 1_000);
  });
  afterEach(async () => {
    await disconnect(client, 1_000);
    await world.dispose();
  });

  /** As the client does when the server refuses a call as unavailable, just after the next call has got its stub. */
  const closeAfterNextStub = (): void => {
    const stubOf = client['getGRPCClient'];
    client['getGRPCClient'] = async (...args: Parameters<typeof stubOf>) => {
      client['getGRPCClient'] = stubOf;
      const stub = await stubOf(...args);
      await client['handleError'](stub, new UnavailableError());
      return stub;
    };
  };

  test('given an append, when its connection was closed, then it goes over a new one, and the process lives', async () => {
    const appender = new Appender(calls, reader, { tryLimitMs: 1_000, patienceMs: 2_000 });
    const stream = newStream();
    const all = events(2);
    closeAfterNextStub();
    expect((await appender.append(stream, 'no_stream', all)).revision).toBe(1);
    expect(ids(await reader.stream(stream))).toEqual(ids(all));
  });

  test('given a read, when its connection was closed, then it goes over a new one', async () => {
    closeAfterNextStub();
    expect(await reader.stream(newStream())).toEqual([]);
  });
});
