import { describe, expect, test } from '@jest/globals';
import { HandMovedTime } from '../../test/support/hand-moved-time.ts';
import { MemoryRecords } from '../../test/support/memory-records.ts';
import { StoreUnavailable } from '../event-store/event-store.ts';
import { WriterFenced, type Records } from '../records/records.ts';
import { type Leadership, type LeaseTimes, startLeadership } from './leadership.ts';

const TIMES: LeaseTimes = { beatEvery: 1_000, leadFor: 5_000, timeToLive: 8_000 };

/** Processes with clocks of their own, all moved together. */
class World {
  readonly records = new MemoryRecords();
  /** Token that stands where they write. */
  greatest = 0;
  /** What happened, in order. */
  readonly told: string[] = [];
  readonly #clocks: HandMovedTime[] = [];
  readonly #fences = new Map<string, (reason: WriterFenced) => void>();

  process(holder: string, leases: Pick<Records, keyof Records> = this.records) {
    const time = new HandMovedTime();
    this.#clocks.push(time);
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const leadership = startLeadership({
      name: 'projector',
      holder,
      leases,
      times: TIMES,
      monotonic: time.monotonic,
      pause: time.pause,
      log,
      begin: ({ token }) => {
        this.told.push(`${holder} begins with ${token}`);
        const fenced = Promise.withResolvers<WriterFenced>();
        this.#fences.set(holder, fenced.resolve);
        if (token <= this.greatest) this.fence(holder, this.greatest);
        return {
          fenced: fenced.promise,
          stop: async () => {
            this.told.push(`${holder} stops`);
            await Promise.resolve();
          },
        };
      },
    });
    return { leadership, time };
  }

  /** Lets the work of a process hear that a greater token stands where it writes. */
  fence(holder: string, token: number): void {
    this.#fences.get(holder)?.(new WriterFenced('the work', token));
  }

  async pass(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0; left -= 100) for (const clock of this.#clocks) await clock.advance(100);
  }

  async settle(): Promise<void> {
    for (const clock of this.#clocks) await clock.settle();
  }
}

/** Records that do not answer, or fail, while they are told to. */
function troubled(records: Records) {
  const trouble: { kind: 'none' | 'fails' | 'hangs' } = { kind: 'none' };
  const through = async <T>(work: () => Promise<T>): Promise<T> => {
    if (trouble.kind === 'fails') throw new StoreUnavailable('away');
    if (trouble.kind === 'hangs') await new Promise(() => {});
    return await work();
  };
  const leases = {
    readLease: (name) => through(() => records.readLease(name)),
    acquireLease: (...given) => through(() => records.acquireLease(...given)),
    renewLease: (name, lease) => through(() => records.renewLease(name, lease)),
    releaseLease: (name, lease) => through(() => records.releaseLease(name, lease)),
  } satisfies Partial<Records>;
  return { trouble, leases: leases as unknown as Records };
}

async function stopAll(...all: readonly { readonly leadership: Leadership }[]): Promise<void> {
  for (const { leadership } of all) await leadership.stop();
}

describe('leadership', () => {
  test('given two processes, then one leads and the other stands by however long', async () => {
    const world = new World();
    const [one, two] = [world.process('one'), world.process('two')];
    await world.pass(60_000);
    expect(world.told).toEqual(['one begins with 1']);
    expect([one.leadership.isLeading(), two.leadership.isLeading()]).toEqual([true, false]);
    expect([one.leadership.check(), two.leadership.check()]).toEqual([undefined, undefined]);
    await stopAll(one, two);
  });

  test('given a leader that is told to stop, then its work ends first and the other takes over at its next look', async () => {
    const world = new World();
    const [one, two] = [world.process('one'), world.process('two')];
    await world.pass(3_000);
    await one.leadership.stop();
    await world.pass(1_100);
    expect(world.told).toEqual(['one begins with 1', 'one stops', 'two begins with 2']);
    await stopAll(two);
  });

  test('given a leader that died, then the other takes over after the time to live, not before', async () => {
    const world = new World();
    const [one, two] = [world.process('one'), world.process('two')];
    await world.pass(3_050);
    one.time.frozen = true;
    await world.pass(7_000);
    expect(world.told).toEqual(['one begins with 1']);
    await world.pass(3_000);
    expect(world.told).toEqual(['one begins with 1', 'two begins with 2']);
    await stopAll(two);
  });

  test('given a leader that was paused and wakes, then it stops at once and stands by', async () => {
    const world = new World();
    const [one, two] = [world.process('one'), world.process('two')];
    await world.pass(3_050);
    one.time.frozen = true;
    await world.pass(12_000);
    one.time.frozen = false;
    await world.pass(20_000);
    expect(world.told).toEqual(['one begins with 1', 'two begins with 2', 'one stops']);
    expect(two.leadership.isLeading()).toBe(true);
    await stopAll(one, two);
  });

  test.each(['fails', 'hangs'] as const)(
    'given a leader whose records %s, then it has stopped before another can take over',
    async (kind) => {
      const world = new World();
      const { trouble, leases } = troubled(world.records);
      const one = world.process('one', leases);
      await world.pass(500);
      const two = world.process('two');
      await world.pass(3_050);
      trouble.kind = kind;
      await world.pass(30_000);
      expect(world.told).toEqual(['one begins with 1', 'one stops', 'two begins with 2']);
      expect(one.leadership.isLeading()).toBe(false);
      if (kind === 'fails') expect(one.leadership.check()).toMatch(/records do not answer/);
      trouble.kind = 'none';
      await world.pass(5_000);
      if (kind === 'fails') expect(one.leadership.check()).toBeUndefined();
      await stopAll(one, two);
    },
  );

  test('given records that are away for a while and nobody else, then the leader stops and leads again with a new token', async () => {
    const world = new World();
    const { trouble, leases } = troubled(world.records);
    const one = world.process('one', leases);
    await world.pass(2_000);
    trouble.kind = 'fails';
    await world.pass(10_000);
    trouble.kind = 'none';
    await world.pass(10_000);
    expect(world.told).toEqual(['one begins with 1', 'one stops', 'one begins with 2']);
    await stopAll(one);
  });

  test('takes a lease with its own name again at once, with a greater token, after its former work has stopped', async () => {
    const world = new World();
    const { trouble, leases } = troubled(world.records);
    const one = world.process('one', leases);
    await world.pass(500);
    const two = world.process('two');
    await world.pass(2_000);
    trouble.kind = 'fails';
    await world.pass(6_000);
    expect(world.told).toEqual(['one begins with 1', 'one stops']);
    trouble.kind = 'none';
    await world.pass(1_100);
    // The other process would wait until the beat has stood still for the time to live.
    expect(world.told).toEqual(['one begins with 1', 'one stops', 'one begins with 2']);
    await stopAll(one, two);
  });

  test('given a hiccup shorter than the lead, then nothing stops', async () => {
    const world = new World();
    const { trouble, leases } = troubled(world.records);
    const one = world.process('one', leases);
    await world.pass(2_000);
    trouble.kind = 'fails';
    await world.pass(3_000);
    trouble.kind = 'none';
    await world.pass(30_000);
    expect(world.told).toEqual(['one begins with 1']);
    await stopAll(one);
  });

  test('given work that is fenced off by a token of a lease that was lost, then the lead is taken anew above it', async () => {
    const world = new World();
    world.greatest = 37;
    const one = world.process('one');
    await world.pass(500);
    const two = world.process('two');
    await world.pass(60_000);
    // Whoever comes first leads in the end; each finds the token out by itself.
    expect(world.told.slice(0, 2)).toEqual(['one begins with 1', 'one stops']);
    expect(world.told.at(-1)).toMatch(/begins with 38$/);
    expect(world.told.length).toBeLessThan(6);
    expect([one, two].filter(({ leadership }) => leadership.isLeading())).toHaveLength(1);
    await stopAll(one, two);
  });

  test('given work that is fenced off because another leads, then it stands by', async () => {
    const world = new World();
    const [one, two] = [world.process('one'), world.process('two')];
    await world.pass(3_050);
    one.time.frozen = true;
    await world.pass(12_000);
    expect(two.leadership.isLeading()).toBe(true);
    world.fence('one', 2);
    await world.settle();
    expect(world.told.slice(1)).toEqual(['two begins with 2', 'one stops']);
    one.time.frozen = false;
    await world.pass(20_000);
    expect(world.told).toHaveLength(3);
    expect([one, two].map(({ leadership }) => leadership.isLeading())).toEqual([false, true]);
    await stopAll(one, two);
  });

  test('given many processes that begin at once, then exactly one leads', async () => {
    const world = new World();
    const all = Array.from({ length: 8 }, (_, index) => world.process(`process ${index}`));
    await world.settle();
    await world.pass(2_000);
    expect(world.told).toHaveLength(1);
    expect(all.filter(({ leadership }) => leadership.isLeading())).toHaveLength(1);
    await stopAll(...all);
  });
});
