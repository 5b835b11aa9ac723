import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from '@jest/globals';
import { PROJECTIONS } from '#projections/registry.ts';
import { nameOfReadModels } from '#service/config/data-folder.ts';
import { hashOf } from '#stores/read-models/collection-definitions.ts';
import type { ReadModels } from '#stores/read-models/read-models.ts';
import { openSqliteReadModels } from '#stores/read-models/sqlite/sqlite-read-models.ts';
import { temporaryFolder } from '#test/ports/support/temporary-folder.ts';
import { MemoryEventStore } from '#test/support/memory-event-store.ts';
import { openTestReadModels } from '#test/support/test-read-models.ts';
import * as sample from '#test/support/sample-events.ts';
import {
  type LoggedLine,
  readAllDocuments,
  runTestProjector,
  startTestProjector,
  waitForPosition,
  waitUntilCaughtUp,
} from '#test/support/test-projector.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { appendTo, type StoredEvent } from '#stores/event-log/event-log.ts';
import { StoreDamaged, StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { TakenOver } from '#stores/shared/taken-over.ts';

import { definitionsOf } from './start-projector.ts';

const { appendSamples, sampleId } = sample;
const PAGE_BYTES = 4_096;
const BOOK = [
  sample.customerRegistered(1),
  sample.policyImported(1, 1),
  sample.claimImported(1, 1, 1),
  sample.claimSettled(1, 1, 1),
];
const POLICY = sampleId('policy', 1);
const renewal = sample.policyRenewed(1, 1, sample.term('2027-01-01', '2027-12-31'));

class Fixture {
  readonly eventStore = new MemoryEventStore();
  readonly readModels = openTestReadModels();
  readonly lines: LoggedLine[] = [];

  async start(options: Partial<Parameters<typeof startTestProjector>[0]> = {}) {
    const { eventStore, readModels, lines } = this;
    return await startTestProjector({ eventStore, readModels, lines, ...options });
  }

  async waitUntilServed(number: number): Promise<void> {
    await waitUntil(async () => (await this.readModels.state()).served === number);
  }

  async waitUntilRefused(number: number): Promise<string | undefined> {
    return await waitUntil(async () => (await this.readModels.state()).refused.get(number));
  }

  /** Overwrites the body of a stored document. */
  async damage(): Promise<void> {
    const stored = await this.readModels.get('policies', POLICY);
    if (stored === undefined) throw new Error('the policy is not stored');
    this.readModels.put('policies', { ...stored, body: '{"damaged":true}' });
  }

  /** Makes the last event of the policy unreadable in the log. Returns a function that restores it. */
  async damageLog(): Promise<{ readonly event: StoredEvent; readonly restore: () => void }> {
    const event = await this.eventStore.readLast(`policy-${POLICY}`);
    if (event === undefined) throw new Error('the policy has no event');
    // Another object, because what was decoded once is remembered.
    const damaged = { ...event, data: 'half of it' };
    const readAll = this.eventStore.readAll.bind(this.eventStore);
    this.eventStore.readAll = async (options) =>
      (await readAll(options)).map((one) => (one.id === event.id ? damaged : one));
    return { event, restore: () => Object.assign(this.eventStore, { readAll }) };
  }

  async expectFresh(): Promise<void> {
    const fresh = openTestReadModels();
    await runTestProjector({ eventStore: this.eventStore, readModels: fresh });
    expect(await readAllDocuments(this.readModels)).toEqual(await readAllDocuments(fresh));
  }
}

/** Starts a projector on a log with the book, and waits until it has caught up. */
async function startWithBook() {
  const fixture = new Fixture();
  await appendSamples(fixture.eventStore, ...BOOK);
  const projector = await fixture.start();
  await waitUntilCaughtUp(projector);
  return { fixture, projector };
}

describe('a requested rebuild', () => {
  test('serves the documents of a fresh fold, and live events go on', async () => {
    const { fixture, projector } = await startWithBook();
    await fixture.damage();
    await appendSamples(fixture.eventStore, sample.rebuildRequested(1));
    await fixture.waitUntilServed(1);
    const position = await appendSamples(fixture.eventStore, renewal);
    await waitForPosition(projector, position);
    await projector.stop();
    await fixture.expectFresh();
    expect((await fixture.readModels.get('policies', POLICY))?.position).toBe(position);
    expect(fixture.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('is folded once where none is served yet', async () => {
    const fixture = new Fixture();
    await appendSamples(fixture.eventStore, ...BOOK, sample.rebuildRequested(1), sample.rebuildRequested(2));
    const projector = await fixture.start();
    await fixture.waitUntilServed(2);
    await projector.stop();
    await fixture.expectFresh();
  });

  test('is refused when it would park a document that is served, which then stays, until it is requested again', async () => {
    const { fixture, projector } = await startWithBook();
    const before = await fixture.readModels.get('policies', POLICY);
    const { event, restore } = await fixture.damageLog();
    await appendSamples(fixture.eventStore, sample.rebuildRequested(1));
    const reason = `documents that are served would be parked: policies ${POLICY} at position ${event.position}: PolicyImported.v1 cannot be folded`;
    const refused = await fixture.waitUntilRefused(1);
    expect(refused).toContain(reason);
    expect(refused).toContain(`; transactions ${POLICY} at position ${event.position}: PolicyImported.v1 cannot`);
    expect((await fixture.readModels.state()).served).toBe(0);
    expect(await fixture.readModels.get('policies', POLICY)).toEqual(before);
    const later = await appendSamples(fixture.eventStore, sample.customerRegistered(2));
    await waitForPosition(projector, later);
    restore();
    await appendSamples(fixture.eventStore, sample.rebuildRequested(2));
    await fixture.waitUntilServed(2);
    await projector.stop();
    expect([...(await fixture.readModels.state()).refused.keys()]).toEqual([1]);
    await fixture.expectFresh();
  });

  test('is not refused for a document that is parked already', async () => {
    const fixture = new Fixture();
    await appendSamples(fixture.eventStore, ...BOOK);
    await fixture.damageLog();
    const projector = await fixture.start();
    await waitUntilCaughtUp(projector);
    expect(await fixture.readModels.countParked('policies')).toBe(1);
    await appendSamples(fixture.eventStore, sample.rebuildRequested(1));
    await fixture.waitUntilServed(1);
    await projector.stop();
  });

  test('stalls while the log is damaged, and goes on when it is restored', async () => {
    const { fixture, projector } = await startWithBook();
    const { eventStore } = fixture;
    const { subscribe } = eventStore;
    eventStore.subscribe = async function* (options) {
      if (options.after === undefined) throw new StoreDamaged('events.db', 'the event at position 2 is missing');
      yield* subscribe.call(eventStore, options);
    };
    await appendSamples(eventStore, sample.rebuildRequested(1));
    const damage = 'events.db is damaged: the event at position 2 is missing';
    await waitUntil(() => projector.status().rebuild?.damage === damage);
    expect(projector.status()).toMatchObject({ failure: undefined, rebuild: { number: 1 } });
    await waitForPosition(projector, await appendSamples(eventStore, renewal));
    eventStore.subscribe = subscribe;
    await fixture.waitUntilServed(1);
    await projector.stop();
    await fixture.expectFresh();
  });

  test('switches again when the response of the store is lost', async () => {
    const { fixture, projector } = await startWithBook();
    const { serve } = fixture.readModels;
    let attempts = 0;
    fixture.readModels.serve = async (...given) => {
      await serve(...given);
      attempts += 1;
      if (attempts === 1) throw new StoreUnavailable('the connection was closed');
    };
    await appendSamples(fixture.eventStore, sample.rebuildRequested(1));
    await fixture.waitUntilServed(1);
    const position = await appendSamples(fixture.eventStore, renewal);
    await waitForPosition(projector, position);
    await projector.stop();
    expect((await fixture.readModels.get('policies', POLICY))?.position).toBe(position);
  });

  test('ends with the leadership', async () => {
    const { fixture, projector } = await startWithBook();
    fixture.readModels.serve = async () => await Promise.reject(new TakenOver('the generation 1'));
    await appendSamples(fixture.eventStore, sample.rebuildRequested(1));
    expect((await projector.takenOver).message).toContain('the generation 1');
    await projector.stop();
    expect((await fixture.readModels.state()).served).toBe(0);
  });

  test('does not hold up a stop while its collections are created', async () => {
    const { fixture, projector } = await startWithBook();
    let isOpening = false;
    fixture.readModels.takeOver = async () => {
      isOpening = true;
      return await new Promise<never>(() => {});
    };
    await appendSamples(fixture.eventStore, sample.rebuildRequested(1));
    await waitUntil(() => isOpening);
    await projector.stop();
  });

  test('that gives up an earlier one starts no fold after a stop', async () => {
    const { fixture, projector } = await startWithBook();
    const { eventStore, readModels } = fixture;
    const { takeOver, inspect } = readModels;
    const [taken, released]: [number[], PromiseWithResolvers<undefined>] = [[], Promise.withResolvers()];
    let [isWriting, inspections] = [false, 0];
    readModels.takeOver = async (number) => {
      taken.push(number);
      const generation = await takeOver(number);
      const write = generation.write.bind(generation);
      if (number === 1)
        generation.write = async (...given) => {
          isWriting = true;
          await released.promise;
          await write(...given);
        };
      return generation;
    };
    readModels.inspect = async () => {
      inspections += 1;
      return await inspect();
    };
    await appendSamples(eventStore, sample.rebuildRequested(1));
    await waitUntil(() => isWriting);
    const before = inspections;
    await appendSamples(eventStore, sample.rebuildRequested(2));
    await waitUntil(() => inspections > before);
    await nextTurn();
    const stopped = projector.stop();
    released.resolve(undefined);
    await stopped;
    await nextTurn();
    expect(taken).toEqual([1]);
  });

  test('heals a parked document whose event can be folded now, and keeps others parked', async () => {
    const fixture = new Fixture();
    await appendSamples(fixture.eventStore, ...BOOK);
    const unknown = { ...sample.toEventToAppend(renewal, 1), type: 'PolicyPainted.v1' };
    await appendTo(fixture.eventStore, renewal.stream, 0, [unknown]);
    const projector = await fixture.start();
    await waitUntilCaughtUp(projector);
    const claim = await fixture.readModels.get('claims', sampleId('claim', 1));
    if (claim === undefined) throw new Error('the claim is not stored');
    const parked = { reason: 'an earlier release could not fold it', eventId: 'e', eventType: 't', position: 3n };
    fixture.readModels.put('claims', { ...claim, parked });
    await appendSamples(fixture.eventStore, sample.rebuildRequested(1));
    await fixture.waitUntilServed(1);
    await projector.stop();
    expect((await fixture.readModels.get('policies', POLICY))?.parked?.eventType).toBe('PolicyPainted.v1');
    expect(await fixture.readModels.get('claims', sampleId('claim', 1))).toEqual(claim);
  });
});

describe('generations that are not read any more', () => {
  test('are deleted after the grace period, not before', async () => {
    const grace = Promise.withResolvers<void>();
    const fixture = new Fixture();
    await appendSamples(fixture.eventStore, ...BOOK);
    let dropped = 0;
    const { dropUnused } = fixture.readModels;
    fixture.readModels.dropUnused = async () => {
      await dropUnused();
      dropped += 1;
    };
    const projector = await fixture.start({
      pause: async (milliseconds) => (milliseconds === 60_000 ? await grace.promise : undefined),
    });
    await waitUntilCaughtUp(projector);
    await appendSamples(fixture.eventStore, sample.rebuildRequested(1));
    await fixture.waitUntilServed(1);
    await waitUntilCaughtUp(projector);
    expect([fixture.readModels.numbers(), dropped]).toEqual([[0, 1], 0]);
    grace.resolve();
    await waitUntil(() => dropped > 0);
    expect(fixture.readModels.numbers()).toEqual([1]);
    await projector.stop();
  });
});

test('a rebuild that is requested while generations are deleted is executed', async () => {
  const fixture = new Fixture();
  await appendSamples(fixture.eventStore, ...BOOK);
  const { dropUnused } = fixture.readModels;
  const deleting = Promise.withResolvers<undefined>();
  const released = Promise.withResolvers<undefined>();
  fixture.readModels.dropUnused = async () => {
    deleting.resolve(undefined);
    await released.promise;
    await dropUnused();
  };
  const projector = await fixture.start({ pause: async () => await Promise.resolve() });
  await deleting.promise;
  const position = await appendSamples(fixture.eventStore, sample.rebuildRequested(1));
  await waitForPosition(projector, position);
  await nextTurn();
  released.resolve(undefined);
  await fixture.waitUntilServed(1);
  await projector.stop();
});

test('a generation that is lost in a running service is not read, and is built again', async () => {
  const { fixture, projector } = await startWithBook();
  const { eventStore, readModels } = fixture;
  const position = await appendSamples(eventStore, renewal);
  await waitForPosition(projector, position);
  let isLost = false;
  readModels.beforeWrite = () => {
    if (!isLost) throw new StoreUnavailable('the collection was dropped');
  };
  const { inspect } = readModels;
  readModels.inspect = async () => {
    if (!isLost) {
      isLost = true;
      await readModels.lose();
    }
    return await inspect();
  };
  const later = await appendSamples(eventStore, sample.customerRegistered(2));
  await waitUntil(() => isLost);
  await waitForPosition(projector, later);
  await projector.stop();
  await fixture.expectFresh();
});

test.each([
  [false, 1],
  [true, 0],
])(
  'read models of other versions are deleted once the own ones are served, unless they are kept: %s',
  async (keepsOtherVersions, drops) => {
    const fixture = new Fixture();
    await appendSamples(fixture.eventStore, ...BOOK);
    const served: (number | undefined)[] = [];
    fixture.readModels.dropOtherVersions = async () => void served.push((await fixture.readModels.state()).served);
    const projector = await fixture.start({ keepsOtherVersions });
    await waitUntilCaughtUp(projector);
    await waitUntil(() => fixture.lines.some(({ message }) => message.includes('caught up')));
    await projector.stop();
    expect(served).toEqual(Array.from({ length: drops }, () => 0));
  },
);

test('a damaged file that a read finds is set aside, and built again without another event', async () => {
  const { folder, remove } = temporaryFolder();
  const definitions = definitionsOf(PROJECTIONS);
  const eventStore = new MemoryEventStore();
  await appendSamples(eventStore, ...BOOK);
  const open = (): ReadModels => openSqliteReadModels({ folder, definitions });
  let readModels = open();
  await runTestProjector({ eventStore, readModels });
  await readModels.close();
  const file = join(folder, nameOfReadModels(hashOf(definitions), 0));
  const database = new DatabaseSync(file);
  const [page] = database.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'claims'").all();
  database.close();
  const bytes = readFileSync(file);
  const end = Number(page?.['rootpage']) * PAGE_BYTES;
  bytes.fill(0xff, end - PAGE_BYTES, end);
  writeFileSync(file, bytes);
  readModels = open();
  const projector = await startTestProjector({ eventStore, readModels });
  await waitUntilCaughtUp(projector);
  await expect(readModels.scan('claims', { after: undefined, limit: 9 })).rejects.toBeInstanceOf(StoreDamaged);
  await waitUntil(() => existsSync(`${file}.damaged`) && projector.status().caughtUp);
  expect(await readModels.scan('claims', { after: undefined, limit: 9 })).toHaveLength(1);
  await projector.stop();
  await readModels.close();
  remove();
});
