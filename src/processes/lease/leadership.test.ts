import { describe, expect, test } from '@jest/globals';
import { ManualClocks } from '#test/support/manual-clock.ts';
import { MemoryLeases } from '#test/support/memory-leases.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import type { Leases } from '#stores/records/records.ts';
import { Leadership, type LeaseTimes } from './leadership.ts';

const TIMES: LeaseTimes = { renewEvery: 1_000, renewDeadline: 5_000, timeToLive: 8_000 };

const NOW = '2026-03-01T10:00:00.000Z';

/** Processes and a store with clocks of their own, all moved together. */
class Fixture extends ManualClocks {
  readonly leases = new MemoryLeases(this.create().monotonic);
  /** What happened, in order. */
  readonly log: string[] = [];
  readonly #rejections = new Map<string, () => void>();

  process(holder: string, leases: Leases = this.leases) {
    const time = this.create();
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const leadership = new Leadership({
      name: 'projector',
      holder,
      leases,
      times: TIMES,
      monotonic: time.monotonic,
      now: () => NOW,
      pause: time.pause,
      log,
      startWork: () => {
        this.log.push(`${holder} starts`);
        const takenOver = Promise.withResolvers<undefined>();
        this.#rejections.set(holder, () => takenOver.resolve(undefined));
        return {
          takenOver: takenOver.promise,
          stop: async () => {
            this.log.push(`${holder} stops`);
            await Promise.resolve();
          },
        };
      },
    });
    return { leadership, time };
  }

  /** Reports to the work of a process that a write was rejected because another process leads. */
  reject(holder: string): void {
    this.#rejections.get(holder)?.();
  }
}

/** Leases of a store that hangs or fails on demand. */
function troubled(store: Leases) {
  const trouble: { kind: 'none' | 'fails' | 'hangs' } = { kind: 'none' };
  const through = async <T>(work: () => Promise<T>): Promise<T> => {
    if (trouble.kind === 'fails') throw new StoreUnavailable('away');
    if (trouble.kind === 'hangs') await new Promise(() => {});
    return await work();
  };
  const leases: Leases = {
    acquireLease: (...given) => through(() => store.acquireLease(...given)),
    renewLease: (...given) => through(() => store.renewLease(...given)),
    releaseLease: (...given) => through(() => store.releaseLease(...given)),
    findHolder: (...given) => through(() => store.findHolder(...given)),
  };
  return { trouble, leases };
}

async function stopAll(...all: readonly { readonly leadership: Leadership }[]): Promise<void> {
  for (const { leadership } of all) await leadership.stop();
}

describe('leadership', () => {
  test('one of two processes leads and the other stands by', async () => {
    const fixture = new Fixture();
    const [one, two] = [fixture.process('one'), fixture.process('two')];
    await fixture.pass(60_000);
    expect(fixture.log).toEqual(['one starts']);
    expect([one.leadership.isLeading(), two.leadership.isLeading()]).toEqual([true, false]);
    expect([one.leadership.leadingSince(), two.leadership.leadingSince()]).toEqual([NOW, undefined]);
    expect([one.leadership.check(), two.leadership.check()]).toEqual([undefined, undefined]);
    await stopAll(one, two);
  });

  test('a leader that stops ends its work before the standby takes over at its next poll', async () => {
    const fixture = new Fixture();
    const [one, two] = [fixture.process('one'), fixture.process('two')];
    await fixture.pass(3_000);
    await one.leadership.stop();
    await fixture.pass(1_100);
    expect(fixture.log).toEqual(['one starts', 'one stops', 'two starts']);
    await stopAll(two);
  });

  test('the standby takes over from a dead leader after the time to live, not before', async () => {
    const fixture = new Fixture();
    const [one, two] = [fixture.process('one'), fixture.process('two')];
    await fixture.pass(3_050);
    one.time.isFrozen = true;
    await fixture.pass(7_000);
    expect(fixture.log).toEqual(['one starts']);
    await fixture.pass(3_000);
    expect(fixture.log).toEqual(['one starts', 'two starts']);
    await stopAll(two);
  });

  test('a leader that resumes after a pause stops its work at once and stands by', async () => {
    const fixture = new Fixture();
    const [one, two] = [fixture.process('one'), fixture.process('two')];
    await fixture.pass(3_050);
    one.time.isFrozen = true;
    await fixture.pass(12_000);
    one.time.isFrozen = false;
    await fixture.pass(20_000);
    expect(fixture.log).toEqual(['one starts', 'two starts', 'one stops']);
    expect(two.leadership.isLeading()).toBe(true);
    await stopAll(one, two);
  });

  test.each(['fails', 'hangs'] as const)(
    'stops the work before another process can take over when a call to the records %s',
    async (kind) => {
      const fixture = new Fixture();
      const { trouble, leases } = troubled(fixture.leases);
      const one = fixture.process('one', leases);
      await fixture.pass(500);
      const two = fixture.process('two');
      await fixture.pass(3_050);
      trouble.kind = kind;
      await fixture.pass(30_000);
      expect(fixture.log).toEqual(['one starts', 'one stops', 'two starts']);
      expect(one.leadership.isLeading()).toBe(false);
      if (kind === 'fails') expect(one.leadership.check()).toMatch(/records do not answer/);
      trouble.kind = 'none';
      await fixture.pass(5_000);
      if (kind === 'fails') expect(one.leadership.check()).toBeUndefined();
      await stopAll(one, two);
    },
  );

  test('takes its own lease again at once, after the work of the last term has stopped', async () => {
    const fixture = new Fixture();
    const { trouble, leases } = troubled(fixture.leases);
    const one = fixture.process('one', leases);
    await fixture.pass(500);
    const two = fixture.process('two');
    await fixture.pass(2_000);
    trouble.kind = 'fails';
    await fixture.pass(6_000);
    expect(fixture.log).toEqual(['one starts', 'one stops']);
    trouble.kind = 'none';
    await fixture.pass(1_100);
    // The other process would wait until the lease expires.
    expect(fixture.log).toEqual(['one starts', 'one stops', 'one starts']);
    await stopAll(one, two);
  });

  test('keeps leading during an outage shorter than the renew deadline', async () => {
    const fixture = new Fixture();
    const { trouble, leases } = troubled(fixture.leases);
    const one = fixture.process('one', leases);
    await fixture.pass(2_000);
    trouble.kind = 'fails';
    await fixture.pass(3_000);
    trouble.kind = 'none';
    await fixture.pass(30_000);
    expect(fixture.log).toEqual(['one starts']);
    await stopAll(one);
  });

  test('stands by when a write was rejected because another process leads', async () => {
    const fixture = new Fixture();
    const [one, two] = [fixture.process('one'), fixture.process('two')];
    await fixture.pass(3_050);
    one.time.isFrozen = true;
    await fixture.pass(12_000);
    expect(two.leadership.isLeading()).toBe(true);
    fixture.reject('one');
    await fixture.settle();
    expect(fixture.log.slice(1)).toEqual(['two starts', 'one stops']);
    one.time.isFrozen = false;
    await fixture.pass(20_000);
    expect(fixture.log).toHaveLength(3);
    expect([one, two].map(({ leadership }) => leadership.isLeading())).toEqual([false, true]);
    await stopAll(one, two);
  });
});
