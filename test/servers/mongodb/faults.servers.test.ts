import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { PROJECTIONS } from '../../../projections/registry.ts';
import { StoreUnavailable } from '../../../src/event-store/event-store.ts';
import { collectionsOf } from '../../../src/projector/start-projector.ts';
import { openMongoReadModels } from '../../../src/read-models/mongodb/mongo-read-models.ts';
import type { ReadModels } from '../../../src/read-models/read-models.ts';
import { openMongoRecords } from '../../../src/records/mongodb/mongo-records.ts';
import type { Records } from '../../../src/records/records.ts';
import * as happening from '../../support/happenings.ts';
import { MemoryEventStore } from '../../support/memory-event-store.ts';
import { MemoryReadModels } from '../../support/memory-read-models.ts';
import { allDocuments, caughtUp, waitForPosition, projected, projecting } from '../../support/projector-world.ts';
import { TcpProxy } from '../../support/tcp-proxy.ts';
import { MongodbProcess } from '../support/mongodb-process.ts';
import { describeOwnServers } from '../support/own-servers.ts';
import { until, untilDespiteErrors } from '../../support/until.ts';

describeOwnServers(['MONGODB_URL'], 'read models and records on a MongoDB that fails', () => {
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

  /** Lets a customer and what it has come into the log, one after the other, until the fault is over and some more. */
  async function happenDuring(fault: () => Promise<void>): Promise<void> {
    let isOver = false;
    const over = fault().finally(() => {
      isOver = true;
    });
    for (let number = 0, left = 5; left > 0; number += 1) {
      await happening.happen(
        eventStore,
        happening.customerRegistered(number),
        happening.policyImported(number, number),
        happening.claimImported(number, number, number),
        happening.policyRenewed(number, number, happening.term('2026-01-01', '2026-12-31')),
      );
      await pause(20);
      if (isOver) left -= 1;
    }
    await over;
  }

  async function expectFreshFold(): Promise<void> {
    const fresh = new MemoryReadModels();
    await projected({ eventStore, readModels: fresh });
    expect(await allDocuments(readModels)).toEqual(await allDocuments(fresh));
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
      'is cut off again and again',
      async () => {
        for (let time = 0; time < 10; time++) {
          proxy.cut();
          await pause(100);
        }
      },
    ],
    [
      'is cut off in the middle of its answers',
      async () => {
        for (let time = 0; time < 10; time++) {
          proxy.cutAnswers(1);
          await until(() => proxy.answersToCut <= 0);
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
    'given a server that %s under load, then the documents are those of a fresh fold in the end',
    async (_how, fault) => {
      const projector = await projecting({ eventStore, readModels, fence: { token: 1 } });
      await caughtUp(projector);
      await happenDuring(fault);
      const end = (await eventStore.lastPosition()) ?? 0n;
      await waitForPosition(projector, end).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${server.words}`, { cause: error });
      });
      expect(projector.status().failure).toBeUndefined();
      await projector.stop();
      await expectFreshFold();
    },
  );

  test('given a projector that is lost between documents and checkpoint, then the next one goes on from there', async () => {
    const first = await projecting({ eventStore, readModels, fence: { token: 1 } });
    await caughtUp(first);
    const trapped = proxy.trap(/read_model_checkpoints[^]*policies_v/);
    await happening.happen(eventStore, happening.customerRegistered(1), happening.policyImported(1, 1));
    await trapped;
    const others = openMongoReadModels({ url: `mongodb://127.0.0.1:${server.port}/surety` });
    await others.open(collectionsOf(PROJECTIONS));
    expect(await others.get('policies', happening.idFor('policy', 1))).toBeDefined();
    expect(await others.checkpoint('policies')).not.toBe(await eventStore.lastPosition());
    const second = await projecting({ eventStore, readModels: alreadyOpen(others), fence: { token: 2 } });
    const position = await happening.happen(
      eventStore,
      happening.policyRenewed(1, 1, happening.term('2026-01-01', '2026-12-31')),
    );
    await waitForPosition(second, position);
    await first.fenced;
    await second.stop();
    await first.stop();
    await others.close();
    await expectFreshFold();
  });

  test('given a server that is killed while records are written, then nothing is lost that was answered', async () => {
    const records = openMongoRecords({ url });
    const kept: { readonly name: string; readonly sha256: string }[] = [];
    const over = new AbortController();
    const writing = Array.from({ length: 4 }, async (_, writer) => {
      for (let number = 0; !over.signal.aborted; number++) {
        const name = `${writer}-${number}`;
        try {
          const sha256 = await records.putBlob(Buffer.from(name));
          await records.revokeKey(name);
          await records.setValue(name, name, { token: 1 });
          kept.push({ name, sha256 });
        } catch (error) {
          expect(error).toBeInstanceOf(StoreUnavailable);
        }
      }
    });
    for (let time = 0; time < 3; time++) {
      const before = kept.length;
      await until(() => kept.length >= before + 10);
      await server.kill();
      await server.start();
    }
    await back(records);
    over.abort();
    await Promise.all(writing);
    expect(kept.length).toBeGreaterThanOrEqual(30);
    for (const { name, sha256 } of kept) {
      expect(Buffer.from((await records.getBlob(sha256)) ?? []).toString()).toBe(name);
      expect(await records.isKeyRevoked(name)).toBe(true);
      expect(await records.getValue(name)).toBe(name);
    }
    await records.close();
  });

  test('given a server that is frozen, then a ping says so within seconds', async () => {
    await readModels.open(collectionsOf(PROJECTIONS));
    await readModels.ping();
    server.freeze();
    // It may still answer what came just before.
    await pause(500);
    await expect(readModels.ping()).rejects.toMatchObject({ name: 'StoreUnavailable' });
    server.thaw();
  });
});

/** Resolves when the server is found again. */
async function back(records: Records): Promise<void> {
  await untilDespiteErrors(async () => {
    await records.ping();
    return true;
  });
}

/** Read models that a projector finds open. */
function alreadyOpen(readModels: ReadModels): ReadModels {
  return new Proxy(readModels, {
    get: (target, name: keyof ReadModels) => (name === 'open' ? async () => {} : target[name].bind(target)),
  });
}
