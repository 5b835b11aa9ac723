import { describe, expect, test } from '@jest/globals';
import { ManualClocks } from '#test/support/manual-clock.ts';
import { MemoryRecords } from '#test/support/memory-records.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { WriterFenced, type Records } from '#stores/records/records.ts';
import { Leadership, type LeaseTimes } from './leadership.ts';

const TIMES: LeaseTimes = { renewEvery: 1_000, renewDeadline: 5_000, timeToLive: 8_000 };

const NOW = '2026-03-01T10:00:00.000Z';

/** Processes with clocks of their own, all moved together. */
class Fixture extends ManualClocks {
  readonly records = new MemoryRecords();
  /** Fencing token of the store that they write to. */
  greatest = 0;
  /** What happened, in order. */
  readonly log: string[] = [];
  readonly #fences = new Map<string, (reason: WriterFenced) => void>();

  process(holder: string, leases: Pick<Records, keyof Records> = this.records) {
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
      startWork: ({ token }) => {
        this.log.push(`${holder} starts with ${token}`);
        const fenced = Promise.withResolvers<WriterFenced>();
        this.#fences.set(holder, fenced.resolve);
        if (token <= this.greatest) this.fence(holder, this.greatest);
        return {
          fenced: fenced.promise,
          stop: async () => {
            this.log.push(`${holder} stops`);
            await Promise.resolve();
          },
        };
      },
    });
    return { leadership, time };
  }

  /** Reports to the work of a process that a write was rejected because of a greater token. */
  fence(holder: string, token: number): void {
    this.#fences.get(holder)?.(new WriterFenced('the work', token));
  }
}

/** Records that hang or fail on demand. */
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
  test('one of two processes leads and the other stands by', async () => {
    const fixture = new Fixture();
    const [one, two] = [fixture.process('one'), fixture.process('two')];
    await fixture.pass(60_000);
    expect(fixture.log).toEqual(['one starts with 1']);
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
    expect(fixture.log).toEqual(['one starts with 1', 'one stops', 'two starts with 2']);
    await stopAll(two);
  });

  test('the standby takes over from a dead leader after the time to live, not before', async () => {
    const fixture = new Fixture();
    const [one, two] = [fixture.process('one'), fixture.process('two')];
    await fixture.pass(3_050);
    one.time.isFrozen = true;
    await fixture.pass(7_000);
    expect(fixture.log).toEqual(['one starts with 1']);
    await fixture.pass(3_000);
    expect(fixture.log).toEqual(['one starts with 1', 'two starts with 2']);
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
    expect(fixture.log).toEqual(['one starts with 1', 'two starts with 2', 'one stops']);
    expect(two.leadership.isLeading()).toBe(true);
    await stopAll(one, two);
  });

  test.each(['fails', 'hangs'] as const)(
    'stops the work before another process can take over when a call to the records %s',
    async (kind) => {
      const fixture = new Fixture();
      const { trouble, leases } = troubled(fixture.records);
      const one = fixture.process('one', leases);
      await fixture.pass(500);
      const two = fixture.process('two');
      await fixture.pass(3_050);
      trouble.kind = kind;
      await fixture.pass(30_000);
      expect(fixture.log).toEqual(['one starts with 1', 'one stops', 'two starts with 2']);
      expect(one.leadership.isLeading()).toBe(false);
      if (kind === 'fails') expect(one.leadership.check()).toMatch(/records do not answer/);
      trouble.kind = 'none';
      await fixture.pass(5_000);
      if (kind === 'fails') expect(one.leadership.check()).toBeUndefined();
      await stopAll(one, two);
    },
  );

  test('takes its own lease again at once, with a greater token, after the work of the last term has stopped', async () => {
    const fixture = new Fixture();
    const { trouble, leases } = troubled(fixture.records);
    const one = fixture.process('one', leases);
    await fixture.pass(500);
    const two = fixture.process('two');
    await fixture.pass(2_000);
    trouble.kind = 'fails';
    await fixture.pass(6_000);
    expect(fixture.log).toEqual(['one starts with 1', 'one stops']);
    trouble.kind = 'none';
    await fixture.pass(1_100);
    // The other process would wait until the beat has stood still for the time to live.
    expect(fixture.log).toEqual(['one starts with 1', 'one stops', 'one starts with 2']);
    await stopAll(one, two);
  });

  test('keeps leading during an outage shorter than the renew deadline', async () => {
    const fixture = new Fixture();
    const { trouble, leases } = troubled(fixture.records);
    const one = fixture.process('one', leases);
    await fixture.pass(2_000);
    trouble.kind = 'fails';
    await fixture.pass(3_000);
    trouble.kind = 'none';
    await fixture.pass(30_000);
    expect(fixture.log).toEqual(['one starts with 1']);
    await stopAll(one);
  });

  test('leads again above the token that rejected a write when the leases were lost', async () => {
    const fixture = new Fixture();
    fixture.greatest = 37;
    const one = fixture.process('one');
    await fixture.pass(500);
    const two = fixture.process('two');
    await fixture.pass(60_000);
    // Either process may lead in the end; each learns the token from a rejected write.
    expect(fixture.log.slice(0, 2)).toEqual(['one starts with 1', 'one stops']);
    expect(fixture.log.at(-1)).toMatch(/starts with 38$/);
    expect(fixture.log.length).toBeLessThan(6);
    expect([one, two].filter(({ leadership }) => leadership.isLeading())).toHaveLength(1);
    await stopAll(one, two);
  });

  test('stands by when a write was rejected because another process leads', async () => {
    const fixture = new Fixture();
    const [one, two] = [fixture.process('one'), fixture.process('two')];
    await fixture.pass(3_050);
    one.time.isFrozen = true;
    await fixture.pass(12_000);
    expect(two.leadership.isLeading()).toBe(true);
    fixture.fence('one', 2);
    await fixture.settle();
    expect(fixture.log.slice(1)).toEqual(['two starts with 2', 'one stops']);
    one.time.isFrozen = false;
    await fixture.pass(20_000);
    expect(fixture.log).toHaveLength(3);
    expect([one, two].map(({ leadership }) => leadership.isLeading())).toEqual([false, true]);
    await stopAll(one, two);
  });
});
