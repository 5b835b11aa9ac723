import { beforeEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { policy, policyStream } from '#domain/policy/policy.ts';
import type { PolicyEvent } from '#domain/policy/policy-events.ts';
import { givenMerchants, importPolicy } from '#test/support/imports.ts';
import { CommandHarness } from '#test/support/command-harness.ts';
import { NOTES, notes, writeNoteIfOpen, writeNote, writeNumberedNote } from '#test/support/toy-commands.ts';
import type { CommandOutcome } from './request.ts';
import { cancelPolicy } from '#commands/policy/cancel-policy.ts';
import { Refusal } from '#domain/refusals.ts';
import { renewPolicy } from '#commands/policy/renew-policy.ts';
import type { CommandContext } from '#commands/command.ts';
import { stateOf } from '../aggregate.ts';
import type { RecordedEvent } from '../event.ts';
import { unreadStream } from './loaded-stream.ts';
import { StateCache } from './state-cache.ts';

let h: CommandHarness;
/** Streams that were read, in order. */
let read: string[];

beforeEach(() => {
  h = new CommandHarness();
  read = [];
  const { eventStore } = h;
  const readStream = eventStore.readStream.bind(eventStore);
  eventStore.readStream = async (stream, options) => {
    read.push(stream);
    return await readStream(stream, options);
  };
});

const note = { ...writeNote, changesOneStream: true as const };
describe('The cache of states', () => {
  test('replaces the read of the next command with the same state', async () => {
    await givenMerchants(h);
    const { policyId } = await importPolicy(h);
    const cached = () => h.ports.stateCache.get(policy, policyStream(policyId));
    const stored = async () =>
      stateOf(policy, (await h.events(policyStream(policyId))) as readonly RecordedEvent<PolicyEvent>[]);
    const renew = async (from: string) =>
      await h.run(renewPolicy, { policy_id: policyId, preferred_policy_start_date: from, policy_duration: 10 });
    await renew('2027-01-01');
    expect(read).toContain(policyStream(policyId));
    expect(cached()?.state).toEqual(await stored());
    read = [];
    await renew('2028-01-01');
    await h.run(cancelPolicy, { policy_id: policyId, cancellation_reason: 'sold' });
    expect(read).not.toContain(policyStream(policyId));
    expect(cached()?.state).toEqual(await stored());
    expect(cached()).toMatchObject({ revision: 3, recordedAt: h.now, position: (await h.log()).at(-1)?.position });
  });

  test('is not used by a command that writes to other streams', async () => {
    await h.run(note, { text: 'a' });
    read = [];
    await h.run(writeNumberedNote, { text: 'b' });
    expect(read).toContain(NOTES);
  });

  test('rejects a command that is marked with changesOneStream and writes to two streams', async () => {
    await h.run(note, { text: 'a' });
    const mislabelled = { ...writeNumberedNote, changesOneStream: true as const };
    await expect(h.run(mislabelled, { text: 'b' })).rejects.toThrow('has changesOneStream but writes to');
    expect(await h.events(NOTES)).toHaveLength(1);
  });

  test.each([true, false])(
    'gives no state on which a change of another stream rests; cached too: %j',
    async (isCached) => {
      const second = `${NOTES}-2`;
      const copyIfOpen = {
        ...note,
        handle: async ({ text }: { readonly text: string }, context: CommandContext) => {
          const found = await context.loadTarget(notes, NOTES);
          const target = await context.loadTarget(notes, second);
          if (found.state?.at(-1) === 'closed') throw new Refusal('policy_not_active', 'the door is closed');
          const event = { type: 'ParkedRetryRequested' as const, data: { collection: 'notes', key: text } };
          return { target, events: [event], tags: {} };
        },
      };
      if (isCached) await h.run(copyIfOpen, { text: 'a' });
      await h.run(writeNoteIfOpen, { text: 'a' });
      const written = await h.events(second);
      await h.run(writeNoteIfOpen, { text: 'closed' }, { stateCache: new StateCache() });
      expect(await h.expectRefusal(copyIfOpen, { text: 'b' })).toMatchObject({ code: 'policy_not_active' });
      expect(await h.events(second)).toEqual(written);
    },
  );

  test('leaves no record of a key behind when the state refuses a command', async () => {
    await h.run(writeNoteIfOpen, { text: 'closed' });
    expect((await h.expectRefusal(writeNoteIfOpen, { text: 'b' }, { key: 'k' })).code).toBe('policy_not_active');
    expect((await h.log()).map(({ stream }) => stream)).toEqual([NOTES]);
  });

  test('lets a command that was refused after a change of another process be executed once with its key', async () => {
    const stateCache = new StateCache();
    await h.run(writeNoteIfOpen, { text: 'a' });
    await h.run(writeNoteIfOpen, { text: 'closed' }, { stateCache });
    const send = async () => await h.run(writeNoteIfOpen, { text: 'b' }, { key: 'k' });
    await expect(send()).rejects.toMatchObject({ code: 'policy_not_active' });
    expect((await h.log()).map(({ type }) => type)).toContain('IdempotencyRecorded');
    await expect(send()).rejects.toMatchObject({ code: 'policy_not_active' });
    await h.run(writeNoteIfOpen, { text: 'opened' }, { stateCache });
    expect([(await send()).replayed, (await send()).replayed]).toEqual([false, true]);
    expect(await h.events(NOTES)).toHaveLength(4);
  });

  test('leaves a command with a key no read before its append', async () => {
    await h.run(note, { text: 'a' });
    const reads: unknown[] = [];
    const { eventStore } = h;
    const readStream = eventStore.readStream.bind(eventStore);
    eventStore.readStream = async (stream, options) => {
      reads.push([stream, options]);
      return await readStream(stream, options);
    };
    const first = await h.run(note, { text: 'c' }, { key: 'k' });
    const { events, revision, position } = await h.run(note, { text: 'd' }, { key: 'l' });
    // An event store that does not return what it has stored is read afterwards.
    expect(reads).toEqual([
      [NOTES, { from: 1, until: first.position }],
      [NOTES, { from: 2, until: position }],
    ]);
    expect([events.length, revision]).toEqual([1, 2]);
  });

  test('has a stream with what another command appended to it', async () => {
    await h.run(note, { text: 'a' });
    await h.run(writeNumberedNote, { text: 'b' });
    expect(h.ports.stateCache.get(notes, NOTES)).toMatchObject({ revision: 1, state: [expect.anything(), 'b 1'] });
  });

  const text = fc.constantFrom('a', 'b', 'closed', 'opened');
  const step = fc.record({ process: fc.nat(2), text, key: fc.option(fc.constantFrom('k1', 'k2')) });

  test('changes no outcome of any sequence of commands across processes', async () => {
    const sequence = fc.array(step, { maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(sequence, async (steps) => {
        const [cached, uncached] = [new CommandHarness(), new CommandHarness()];
        const caches = [new StateCache(), new StateCache(), new StateCache()];
        for (const { process, text, key } of steps) {
          const sent = key === null ? {} : { key: `${key} ${text}` };
          const outcomes = await Promise.allSettled([
            cached.run(writeNoteIfOpen, { text }, { ...sent, stateCache: caches[process] as StateCache }),
            uncached.run(writeNoteIfOpen, { text }, { ...sent, stateCache: new StateCache() }),
          ]);
          expect(resultOf(outcomes[0])).toEqual(resultOf(outcomes[1]));
        }
        const written = async (of: CommandHarness) => (await of.events(NOTES)).map(({ data }) => data);
        expect(await written(cached)).toEqual(await written(uncached));
      }),
    );
  });

  test('keeps the rule of a stream under concurrent commands of several processes', async () => {
    const sequence = fc.array(step, { minLength: 2, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(sequence, async (steps) => {
        const many = new CommandHarness();
        const caches = [new StateCache(), new StateCache(), new StateCache()];
        const send = ({ process, text }: (typeof steps)[number]) =>
          many.run(writeNoteIfOpen, { text }, { stateCache: caches[process] as StateCache });
        await send({ process: 0, text: 'a', key: null });
        const outcomes = await Promise.allSettled(steps.map(send));
        const written = (await many.events(NOTES)).map(({ data }) => (data as { key: string }).key);
        expect(written.filter((note, index) => written[index - 1] === 'closed' && note !== 'opened')).toEqual([]);
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(written.length - 1);
      }),
    );
  });
});

function resultOf(outcome: PromiseSettledResult<CommandOutcome>): unknown {
  if (outcome.status === 'rejected') return (outcome.reason as { code?: string }).code;
  const { revision, replayed, result, events } = outcome.value;
  return { revision, replayed, result, data: events.map(({ data }) => data) };
}

test('A cache of states forgets the streams that were not used for the longest time, by their size', () => {
  const cache = new StateCache();
  const add = (stream: string, size: number) => cache.set({ ...unreadStream(notes, stream), revision: 0, size });
  for (let number = 0; number < 160; number++) add(`stream-${number}`, 1024 * 1024);
  expect(cache.get(notes, 'stream-0')).toBeUndefined();
  expect(cache.get(notes, 'stream-159')).toBeDefined();
  add('small', 1);
  expect(cache.get(notes, 'stream-100')).toBeDefined();
});

test('A cache of states keeps the later one of two revisions, for the aggregate of which it is', () => {
  const cache = new StateCache();
  const set = (revision: number) => cache.set({ ...unreadStream(notes, NOTES), revision });
  for (const revision of [1, 2, 1]) set(revision);
  expect(cache.get(notes, NOTES)?.revision).toBe(2);
  expect(cache.get(policy, NOTES)).toBeUndefined();
});
