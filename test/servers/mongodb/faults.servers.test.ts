import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { PROJECTIONS } from '../../../projections/registry.ts';
import { StoreUnavailable } from '../../../src/store-unavailable.ts';
import { collectionsOf } from '../../../src/projector/start-projector.ts';
import { openMongoReadModels } from '../../../src/read-models/mongodb/mongo-read-models.ts';
import type { ReadModels } from '../../../src/read-models/read-models.ts';
import { openMongoRecords } from '../../../src/records/mongodb/mongo-records.ts';
import type { Records } from '../../../src/records/records.ts';
import * as sample from '../../support/sample-events.ts';
import { MemoryEventStore } from '../../support/memory-event-store.ts';
import { MemoryReadModels } from '../../support/memory-read-models.ts';
import {
  readAllDocuments,
  waitUntilCaughtUp,
  waitForPosition,
  runTestProjector,
  startTestProjector,
} from '../../support/test-projector.ts';
import { TcpProxy } from '../../support/tcp-proxy.ts';
import { MongodbProcess } from '../support/mongodb-process.ts';
import { describeOwnServers } from '../support/own-servers.ts';
import { waitUntil, waitUntilIgnoringErrors } from '../../support/wait-until.ts';

describeOwnServers(['MONGODB_URL'], 'Read models and records on a MongoDB that fails', () => {
  let server: MongodbProcess;
  let proxy: TcpProxy;
  let url: string;
  let readModels: ReadModels;
  let eventStore: MemoryEventStore;
  beforeEach(async () => {
    server = await MongodbProcess.start();
    proxy = await TcpProxy.start(server.port);
    url = `mongodb://127.0.0.1:${proxy.port}/surety`;
    readModels = openMongoReadModels({ url });
    eventStore = new MemoryEventStore();
  });
  afterEach(async () => {
    await readModels.close();
    await proxy.stop();
    await server.dispose();
  });

  /** Appends customers with a policy and a claim during the fault, and some more after it. */
  async function appendDuring(fault: () => Promise<void>): Promise<void> {
    let isOver = false;
    const over = fault().finally(() => {
      isOver = true;
    });
    for (let number = 0, left = 5; left > 0; number += 1) {
      await sample.appendSamples(
        eventStore,
        sample.customerRegistered(number),
        sample.policyImported(number, number),
        sample.claimImported(number, number, number),
        sample.policyRenewed(number, number, sample.term('2026-01-01', '2026-12-31')),
      );
      await pause(20);
      if (isOver) left -= 1;
    }
    await over;
  }

  async function expectFreshFold(): Promise<void> {
    const fresh = new MemoryReadModels();
    await runTestProjector({ eventStore, readModels: fresh });
    expect(await readAllDocuments(readModels)).toEqual(await readAllDocuments(fresh));
    for (const { name } of PROJECTIONS) expect(await readModels.checkpoint(name)).toBe(await eventStore.lastPosition());
  }

  const faults = [
    [
      'is killed twice and started again',
      async () => {
        for (let time = 0; time < 2; time++) {
          await server.kill();
          await pause(1_000);
          await server.start();
          await pause(500);
        }
      },
    ],
    [
      'is frozen for some seconds',
      async () => {
        server.freeze();
        await pause(3_000);
        server.thaw();
      },
    ],
    [
      'is disconnected again and again',
      async () => {
        for (let time = 0; time < 10; time++) {
          proxy.cut();
          await pause(100);
        }
      },
    ],
    [
      'is disconnected in the middle of its responses',
      async () => {
        for (let time = 0; time < 10; time++) {
          proxy.cutResponses(1);
          await waitUntil(() => proxy.responsesToCut <= 0);
        }
      },
    ],
    [
      'is slow',
      async () => {
        proxy.delay = 50;
        await pause(1_500);
        proxy.delay = 0;
      },
    ],
  ] as const;
  test.each(faults)(
    'when the server %s under load, the documents finally equal those of a fresh fold',
    async (_how, fault) => {
      const projector = await startTestProjector({ eventStore, readModels, fence: { token: 1 } });
      await waitUntilCaughtUp(projector);
      await appendDuring(fault);
      const end = (await eventStore.lastPosition()) ?? 0n;
      await waitForPosition(projector, end).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${server.recentOutput}`, { cause: error });
      });
      expect(projector.status().failure).toBeUndefined();
      await projector.stop();
      await expectFreshFold();
    },
  );

  test('the next projector continues after one is lost between documents and checkpoint', async () => {
    const first = await startTestProjector({ eventStore, readModels, fence: { token: 1 } });
    await waitUntilCaughtUp(first);
    const held = proxy.holdRequest(/read_model_checkpoints[^]*policies_v/);
    await sample.appendSamples(eventStore, sample.customerRegistered(1), sample.policyImported(1, 1));
    await held;
    const others = openMongoReadModels({ url: `mongodb://127.0.0.1:${server.port}/surety` });
    await others.open(collectionsOf(PROJECTIONS));
    expect(await others.get('policies', sample.sampleId('policy', 1))).toBeDefined();
    expect(await others.checkpoint('policies')).not.toBe(await eventStore.lastPosition());
    const second = await startTestProjector({ eventStore, readModels: alreadyOpen(others), fence: { token: 2 } });
    const position = await sample.appendSamples(
      eventStore,
      sample.policyRenewed(1, 1, sample.term('2026-01-01', '2026-12-31')),
    );
    await waitForPosition(second, position);
    await first.fenced;
    await second.stop();
    await first.stop();
    await others.close();
    await expectFreshFold();
  });

  test('loses no acknowledged record when the server is killed', async () => {
    const records = openMongoRecords({ url });
    const written: { readonly name: string; readonly sha256: string }[] = [];
    const over = new AbortController();
    const writing = Array.from({ length: 4 }, async (_, writer) => {
      for (let number = 0; !over.signal.aborted; number++) {
        const name = `${writer}-${number}`;
        try {
          const sha256 = await records.putBlob(Buffer.from(name));
          await records.revokeKey(name);
          await records.setValue(name, name, { token: 1 });
          written.push({ name, sha256 });
        } catch (error) {
          expect(error).toBeInstanceOf(StoreUnavailable);
        }
      }
    });
    for (let time = 0; time < 3; time++) {
      const before = written.length;
      await waitUntil(() => written.length >= before + 10);
      await server.kill();
      await server.start();
    }
    await waitUntilBack(records);
    over.abort();
    await Promise.all(writing);
    expect(written.length).toBeGreaterThanOrEqual(30);
    for (const { name, sha256 } of written) {
      expect(Buffer.from((await records.getBlobRow(sha256, 0)) ?? []).toString()).toBe(name);
      expect(await records.isKeyRevoked(name)).toBe(true);
      expect(await records.getValue(name)).toBe(name);
    }
    await records.close();
  });

  test('a ping fails within seconds while the server is frozen', async () => {
    await readModels.open(collectionsOf(PROJECTIONS));
    await readModels.ping();
    server.freeze();
    // The server may still answer earlier requests.
    await pause(500);
    await expect(readModels.ping()).rejects.toMatchObject({ name: 'StoreUnavailable' });
    server.thaw();
  });
});

async function waitUntilBack(records: Records): Promise<void> {
  await waitUntilIgnoringErrors(async () => {
    await records.ping();
    return true;
  });
}

/** Wraps open read models so that `open` does nothing. */
function alreadyOpen(readModels: ReadModels): ReadModels {
  return new Proxy(readModels, {
    get: (target, name: keyof ReadModels) => (name === 'open' ? async () => {} : target[name].bind(target)),
  });
}
