import { describe, expect, test } from '@jest/globals';
import { PROJECTIONS } from '#projections/registry.ts';
import * as sample from '#test/support/sample-events.ts';
import { ManualClocks } from '#test/support/manual-clock.ts';
import { MemoryEventStore } from '#test/support/memory-event-store.ts';
import { openTestReadModels } from '#test/support/test-read-models.ts';
import { MemoryLeases } from '#test/support/memory-leases.ts';
import { recordLogInto } from '#test/support/test-projector.ts';
import { appendTo, type Position } from '#stores/event-log/event-log.ts';
import { verifyDocuments } from '#service/compose/verify.ts';
import type { ReadModels } from '#stores/read-models/read-models.ts';
import { type SharedProjector, startSharedProjector } from './shared-projector.ts';
import { lagFailure } from '#read-side/projector.ts';

const { appendSamples } = sample;

/** Several processes over the same stores, each with a clock that the test moves. */
class Fixture extends ManualClocks {
  readonly eventStore = new MemoryEventStore();
  readonly readModels = openTestReadModels();
  readonly leases = new MemoryLeases(this.create().monotonic);
  #people = 0;

  /** @param readModels as this process reaches them */
  async process(holder: string | undefined, readModels: ReadModels = this.readModels, projections = PROJECTIONS) {
    const time = this.create();
    const log = recordLogInto([]);
    const { monotonic, pause } = time;
    const now = (): string => sample.RECORDED_AT;
    const lease = holder === undefined ? undefined : { holder, leases: this.leases, monotonic, now, pause, log };
    const { eventStore } = this;
    const projector = startSharedProjector({
      eventStore,
      readModels,
      projections,
      log,
      now,
      monotonic,
      pause,
      lease,
    });
    return { projector, time };
  }

  /** A customer with a policy; resolves with the position of the last event. */
  async news(): Promise<Position> {
    this.#people += 1;
    const person = this.#people;
    return await appendSamples(
      this.eventStore,
      sample.customerRegistered(person),
      sample.policyImported(person, person),
    );
  }

  /** Lets time pass until a process has reported the position. */
  async until(projector: SharedProjector, position: Position): Promise<void> {
    for (let round = 0; round < 100; round += 1) {
      if (await projector.waitFor(position, 0)) return;
      await this.pass(100);
    }
    throw new Error(`the read models did not reach ${position}`);
  }

  async differences(): Promise<readonly unknown[]> {
    const { eventStore, readModels } = this;
    const verification = await verifyDocuments({ eventStore, readModels, projections: PROJECTIONS });
    expect(verification.up_to).not.toBeNull();
    return verification.differences;
  }
}

describe('projectors of several processes on one set of read models', () => {
  test('a leader, a standby and a reader all report the position that the leader records', async () => {
    const fixture = new Fixture();
    const one = await fixture.process('one');
    const two = await fixture.process('two');
    const reader = await fixture.process(undefined);
    await fixture.pass(1_000);
    const position = await fixture.news();
    for (const { projector } of [one, two, reader]) await fixture.until(projector, position);
    expect([one, two, reader].map(({ projector }) => projector.isLeading())).toEqual([true, false, false]);
    for (const { projector } of [two, reader]) expect(projector.status()).toMatchObject({ lagMs: 0, position });
    for (const { projector } of [one, two, reader]) await projector.stop();
  });

  test('records the positions of events that change no read model at once', async () => {
    const fixture = new Fixture();
    const one = await fixture.process('one');
    const reader = await fixture.process(undefined);
    await fixture.until(reader.projector, await fixture.news());
    const event = { id: sample.sampleId('event', 999), type: 'NothingOfInterest.v1', data: {}, metadata: {} };
    const { position } = await appendTo(fixture.eventStore, 'sequence-of-nothing', 'no_stream', [event]);
    await fixture.until(reader.projector, position);
    expect((await fixture.readModels.checkpoint())?.position).toBe(position);
    for (const { projector } of [one, reader]) await projector.stop();
  });

  test('projectors of the older version of a projection continue beside those of a newer one', async () => {
    const fixture = new Fixture();
    const raised = PROJECTIONS.map((one) => (one.name === 'policies' ? { ...one, version: one.version + 1 } : one));
    // Each version has read models of its own.
    const newer = openTestReadModels();
    const old = await fixture.process('old');
    const oldApi = await fixture.process(undefined);
    for (const { projector } of [old, oldApi]) await fixture.until(projector, await fixture.news());
    const one = await fixture.process('new', newer, raised);
    const two = await fixture.process('another new', newer, raised);
    const newApi = await fixture.process(undefined, newer, raised);
    const all = [old, oldApi, one, two, newApi];
    const position = await fixture.news();
    for (const { projector } of all) await fixture.until(projector, position);
    await fixture.pass(20_000);
    expect([old, one, two].map(({ projector }) => projector.isLeading())).toEqual([true, true, false]);
    for (const { projector } of all) expect(lagFailure(projector.status())).toBeUndefined();
    await old.projector.stop();
    const last = await fixture.news();
    for (const { projector } of [one, two, newApi]) await fixture.until(projector, last);
    await fixture.pass(7_000);
    expect(lagFailure(oldApi.projector.status())).toMatch('behind the log');
    for (const { projector } of [oldApi, one, two, newApi]) await projector.stop();
  });

  test('a new leader builds read models again whose documents were deleted', async () => {
    const fixture = new Fixture();
    const one = await fixture.process('one');
    const reader = await fixture.process(undefined);
    const position = await fixture.news();
    for (const { projector } of [one, reader]) await fixture.until(projector, position);
    await one.projector.stop();
    await fixture.readModels.lose();
    expect(await fixture.readModels.checkpoint()).toBeUndefined();
    await fixture.pass(1_100);
    expect(reader.projector.initialBuildProgress()).toEqual({ position: undefined, head: position });
    const two = await fixture.process('two');
    for (const { projector } of [two, reader]) await fixture.until(projector, position);
    expect(reader.projector.initialBuildProgress()).toBeUndefined();
    expect(await fixture.differences()).toEqual([]);
    for (const { projector } of [two, reader]) await projector.stop();
  });
});
