import { describe, expect, test } from '@jest/globals';
import { PROJECTIONS } from '#projections/registry.ts';
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
import { loadState } from '#domain/events.ts';
import { rebuilds } from '#event-sourcing/rebuilds.ts';
import { REBUILDS_STREAM } from '#event-sourcing/system-events.ts';
import { WriterFenced } from '#stores/read-models/fence.ts';
import { appendTo, type StoredEvent } from '#stores/event-log/event-log.ts';
import { StoreDamaged, StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import type { EndRebuild } from './projector.ts';
import { buildIdOf } from './rebuilds.ts';

const { appendSamples, sampleId } = sample;
const BOOK = [
  sample.customerRegistered(1),
  sample.policyImported(1, 1),
  sample.claimImported(1, 1, 1),
  sample.claimSettled(1, 1, 1),
];
const POLICY = sampleId('policy', 1);
const build = (number: number): string => buildIdOf(sampleId('rebuild', number));

class Fixture {
  readonly eventStore = new MemoryEventStore();
  readonly readModels = openTestReadModels();
  readonly lines: LoggedLine[] = [];

  readonly endRebuild: EndRebuild = async (rebuildId, outcome, reason) => {
    if ((await this.openRebuilds()).includes(rebuildId))
      await appendSamples(this.eventStore, sample.rebuildEnded(rebuildId, outcome, reason));
  };

  async start(options: Partial<Parameters<typeof startTestProjector>[0]> = {}) {
    const { eventStore, readModels, lines, endRebuild } = this;
    return await startTestProjector({ eventStore, readModels, lines, endRebuild, ...options });
  }

  async rebuilds() {
    return (await loadState(rebuilds, REBUILDS_STREAM, this.eventStore)) ?? [];
  }

  async openRebuilds(): Promise<readonly string[]> {
    return (await this.rebuilds()).filter(({ ended }) => ended === undefined).map(({ rebuildId }) => rebuildId);
  }

  async waitForEnds(): Promise<void> {
    await waitUntil(async () => (await this.openRebuilds()).length === 0);
  }

  /** Overwrites the body of a stored document. */
  async damage(): Promise<void> {
    const stored = await this.readModels.get('policies', POLICY);
    if (stored === undefined) throw new Error('the policy is not stored');
    this.readModels.put('policies', { ...stored, body: '{"damaged":true}' });
  }

  /** Makes the last event of the policy unreadable in the log. */
  async damageLog(): Promise<StoredEvent> {
    const event = await this.eventStore.readLast(`policy-${POLICY}`);
    if (event === undefined) throw new Error('the policy has no event');
    // Another object, because what was decoded once is remembered.
    const damaged = { ...event, data: 'half of it' };
    const readAll = this.eventStore.readAll.bind(this.eventStore);
    this.eventStore.readAll = async (options) =>
      (await readAll(options)).map((one) => (one.id === event.id ? damaged : one));
    return event;
  }

  async body(): Promise<string | undefined> {
    return (await this.readModels.get('policies', POLICY))?.body;
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
    await appendSamples(fixture.eventStore, sample.rebuildRequested(1, ['policies', 'claims']));
    await fixture.waitForEnds();
    expect(await fixture.readModels.builds()).toEqual({ policies: build(1), claims: build(1), log_mark: build(1) });
    const position = await appendSamples(
      fixture.eventStore,
      sample.policyRenewed(1, 1, sample.term('2027-01-01', '2027-12-31')),
    );
    await waitForPosition(projector, position);
    await projector.stop();
    const fresh = openTestReadModels();
    await runTestProjector({ eventStore: fixture.eventStore, readModels: fresh });
    expect(await readAllDocuments(fixture.readModels)).toEqual(await readAllDocuments(fresh));
    expect((await fixture.readModels.get('policies', POLICY))?.position).toBe(position);
    expect((await fixture.rebuilds()).map(({ ended }) => ended?.outcome)).toEqual(['completed']);
    expect(fixture.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('is not executed when the read models were built after it', async () => {
    const fixture = new Fixture();
    await appendSamples(fixture.eventStore, ...BOOK, sample.rebuildRequested(1, ['policies']));
    const projector = await fixture.start();
    await fixture.waitForEnds();
    await projector.stop();
    expect((await fixture.rebuilds()).map(({ ended }) => ended?.outcome)).toEqual(['superseded']);
    expect(await fixture.readModels.builds()).toEqual({});
  });

  test('is only ended when its documents are served already', async () => {
    const fixture = new Fixture();
    await appendSamples(fixture.eventStore, ...BOOK);
    await runTestProjector(fixture);
    await appendSamples(fixture.eventStore, sample.rebuildRequested(1, ['policies']));
    let switches = 0;
    const { serveBuilds } = fixture.readModels;
    fixture.readModels.serveBuilds = async (builds) => {
      switches += 1;
      await serveBuilds.call(fixture.readModels, builds);
    };
    const killed = await fixture.start({
      endRebuild: async () => await Promise.reject(new StoreUnavailable('killed')),
    });
    await waitUntil(() => switches === 1);
    await killed.stop();
    expect(await fixture.openRebuilds()).toHaveLength(1);
    const projector = await fixture.start();
    await fixture.waitForEnds();
    await projector.stop();
    expect(switches).toBe(1);
  });

  test('is refused when it would park a document that is served, which then stays', async () => {
    const { fixture, projector } = await startWithBook();
    const before = await fixture.readModels.get('policies', POLICY);
    const { position } = await fixture.damageLog();
    await appendSamples(fixture.eventStore, sample.rebuildRequested(1, ['claims', 'policies']));
    await fixture.waitForEnds();
    const reason = `documents that are served would be parked: policies ${POLICY} at position ${position}: PolicyImported.v1 cannot be folded`;
    const [rebuild] = await fixture.rebuilds();
    expect(rebuild?.ended).toMatchObject({ outcome: 'refused', reason: expect.stringContaining(reason) });
    expect(await fixture.readModels.builds()).toEqual({});
    expect(await fixture.readModels.get('policies', POLICY)).toEqual(before);
    await appendSamples(fixture.eventStore, sample.rebuildRequested(2, ['claims']));
    await fixture.waitForEnds();
    await projector.stop();
    expect((await fixture.rebuilds()).map(({ ended }) => ended?.outcome)).toEqual(['refused', 'completed']);
  });

  test('is not refused for a document that is parked already', async () => {
    const fixture = new Fixture();
    await appendSamples(fixture.eventStore, ...BOOK);
    await fixture.damageLog();
    const projector = await fixture.start();
    await waitUntilCaughtUp(projector);
    expect(await fixture.readModels.countParked('policies')).toBe(1);
    await appendSamples(fixture.eventStore, sample.rebuildRequested(1, ['policies']));
    await fixture.waitForEnds();
    await projector.stop();
    expect((await fixture.rebuilds()).map(({ ended }) => ended?.outcome)).toEqual(['completed']);
  });

  test('is refused when the log is damaged', async () => {
    const { fixture, projector } = await startWithBook();
    const { eventStore } = fixture;
    const { subscribe } = eventStore;
    eventStore.subscribe = async function* (options) {
      if (options.after === undefined) throw new StoreDamaged('events.db', 'the event at position 2 is missing');
      yield* subscribe.call(eventStore, options);
    };
    await appendSamples(eventStore, sample.rebuildRequested(1, ['policies']));
    await fixture.waitForEnds();
    await projector.stop();
    const reason = 'events.db is damaged: the event at position 2 is missing';
    expect((await fixture.rebuilds())[0]?.ended).toMatchObject({ outcome: 'refused', reason });
    expect(await fixture.readModels.builds()).toEqual({});
  });

  test('waits its turn when another one runs', async () => {
    const { fixture, projector } = await startWithBook();
    await appendSamples(
      fixture.eventStore,
      sample.rebuildRequested(1, ['policies']),
      sample.rebuildRequested(2, ['claims', 'customers']),
    );
    await fixture.waitForEnds();
    await projector.stop();
    const builds = { policies: build(1), claims: build(2), customers: build(2), log_mark: build(2) };
    expect(await fixture.readModels.builds()).toEqual(builds);
  });

  test('switches again when the response of the store is lost', async () => {
    const { fixture, projector } = await startWithBook();
    const { serveBuilds } = fixture.readModels;
    let attempts = 0;
    fixture.readModels.serveBuilds = async (builds) => {
      await serveBuilds.call(fixture.readModels, builds);
      attempts += 1;
      if (attempts === 1) throw new StoreUnavailable('the connection was closed');
    };
    await appendSamples(fixture.eventStore, sample.rebuildRequested(1, ['policies']));
    await fixture.waitForEnds();
    const position = await appendSamples(
      fixture.eventStore,
      sample.policyRenewed(1, 1, sample.term('2027-01-01', '2027-12-31')),
    );
    await waitForPosition(projector, position);
    await projector.stop();
    expect(attempts).toBe(2);
    expect((await fixture.readModels.get('policies', POLICY))?.position).toBe(position);
  });

  test('ends with the leadership', async () => {
    const fixture = new Fixture();
    await appendSamples(fixture.eventStore, ...BOOK);
    const projector = await fixture.start({ fence: { token: 1 } });
    await waitUntilCaughtUp(projector);
    let isRefused = false;
    fixture.readModels.serveBuilds = async () => {
      isRefused = true;
      throw new WriterFenced('reached', 2);
    };
    await appendSamples(fixture.eventStore, sample.rebuildRequested(1, ['policies']));
    await waitUntil(() => isRefused);
    await projector.stop();
    expect(await fixture.openRebuilds()).toHaveLength(1);
    expect(await fixture.readModels.builds()).toEqual({});
  });

  test('does not hold up a stop while its build is opened', async () => {
    const { fixture, projector } = await startWithBook();
    let isOpening = false;
    fixture.readModels.openBuild = async () => {
      isOpening = true;
      return await new Promise<never>(() => {});
    };
    await appendSamples(fixture.eventStore, sample.rebuildRequested(1, ['policies']));
    await waitUntil(() => isOpening);
    await projector.stop();
    expect(await fixture.openRebuilds()).toHaveLength(1);
  });

  test('of all collections heals a parked document whose event can be folded now, and keeps others parked', async () => {
    const fixture = new Fixture();
    await appendSamples(fixture.eventStore, ...BOOK);
    const renewal = sample.policyRenewed(1, 1, sample.term('2027-01-01', '2027-12-31'));
    const unknown = { ...sample.toEventToAppend(renewal, 1), type: 'PolicyPainted.v1' };
    await appendTo(fixture.eventStore, renewal.stream, 0, [unknown]);
    const projector = await fixture.start();
    await waitUntilCaughtUp(projector);
    const claim = await fixture.readModels.get('claims', sampleId('claim', 1));
    if (claim === undefined) throw new Error('the claim is not stored');
    const parked = { reason: 'an earlier release could not fold it', eventId: 'e', eventType: 't', position: 3n };
    fixture.readModels.put('claims', { ...claim, parked });
    await appendSamples(
      fixture.eventStore,
      sample.rebuildRequested(
        1,
        PROJECTIONS.map(({ name }) => name),
      ),
    );
    await fixture.waitForEnds();
    await projector.stop();
    expect((await fixture.readModels.get('policies', POLICY))?.parked?.eventType).toBe('PolicyPainted.v1');
    expect(await fixture.readModels.get('claims', sampleId('claim', 1))).toEqual(claim);
  });
});
