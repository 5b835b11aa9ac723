import { beforeEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { policyStream } from '#domain/policy/policy.ts';
import { givenMerchants, importPolicy } from '#test/support/imports.ts';
import { CommandHarness } from '#test/support/command-harness.ts';
import { NOTES, writeNoteIfOpen, writeNote, writeNumberedNote } from '#test/support/toy-commands.ts';
import type { CommandOutcome } from './request.ts';
import { cancelPolicy } from '#commands/policy/cancel-policy.ts';
import { renewPolicy } from '#commands/policy/renew-policy.ts';
import { StreamCache } from './stream-cache.ts';

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
describe('The stream cache', () => {
  test('replaces the read of the next command with the same events', async () => {
    await givenMerchants(h);
    const { policyId } = await importPolicy(h);
    const renew = async (from: string) =>
      await h.run(renewPolicy, { policy_id: policyId, preferred_policy_start_date: from, policy_duration: 10 });
    await renew('2027-01-01');
    expect(read).toContain(policyStream(policyId));
    expect(h.ports.streamCache.get(policyStream(policyId))).toEqual(await h.events(policyStream(policyId)));
    read = [];
    await renew('2028-01-01');
    await h.run(cancelPolicy, { policy_id: policyId, cancellation_reason: 'sold' });
    expect(read).not.toContain(policyStream(policyId));
    expect(h.ports.streamCache.get(policyStream(policyId))).toEqual(await h.events(policyStream(policyId)));
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

  test('is not used with an idempotency key, so a refusal leaves no record', async () => {
    await h.run(writeNoteIfOpen, { text: 'a' });
    await h.run(writeNoteIfOpen, { text: 'closed' }, { streamCache: new StreamCache() });
    const refusal = await h.run(writeNoteIfOpen, { text: 'b' }, { key: 'k' }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'policy_not_active' });
    expect((await h.log()).map(({ stream }) => stream)).toEqual([NOTES, NOTES]);
  });

  test('leaves a command with a key one read, of what follows the cached events', async () => {
    await h.run(note, { text: 'a' });
    await h.given(NOTES, { type: 'ParkedRetryRequested', data: { collection: 'notes', key: 'b' } });
    const reads: unknown[] = [];
    const { eventStore } = h;
    const readStream = eventStore.readStream.bind(eventStore);
    eventStore.readStream = async (stream, options) => {
      reads.push([stream, options]);
      return await readStream(stream, options);
    };
    const { events, revision, position } = await h.run(note, { text: 'c' }, { key: 'k' });
    expect(reads[0]).toEqual([NOTES, { from: 1 }]);
    // An event store that does not return what it has stored is read once more.
    expect(reads.slice(1)).toEqual([[NOTES, { from: 2, until: position }]]);
    expect([events.length, revision]).toEqual([1, 2]);
  });

  test('has a stream with what another command appended to it', async () => {
    await h.run(note, { text: 'a' });
    await h.run(writeNumberedNote, { text: 'b' });
    expect(h.ports.streamCache.get(NOTES)?.map(({ revision }) => revision)).toEqual([0, 1]);
  });

  const text = fc.constantFrom('a', 'b', 'closed', 'opened');
  const step = fc.record({ process: fc.nat(2), text, key: fc.option(fc.constantFrom('k1', 'k2')) });

  test('changes no outcome of any sequence of commands across processes', async () => {
    const sequence = fc.array(step, { maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(sequence, async (steps) => {
        const [cached, uncached] = [new CommandHarness(), new CommandHarness()];
        const caches = [new StreamCache(), new StreamCache(), new StreamCache()];
        for (const { process, text, key } of steps) {
          const sent = key === null ? {} : { key: `${key} ${text}` };
          const outcomes = await Promise.allSettled([
            cached.run(writeNoteIfOpen, { text }, { ...sent, streamCache: caches[process] as StreamCache }),
            uncached.run(writeNoteIfOpen, { text }, { ...sent, streamCache: new StreamCache() }),
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
        const caches = [new StreamCache(), new StreamCache(), new StreamCache()];
        const send = ({ process, text }: (typeof steps)[number]) =>
          many.run(writeNoteIfOpen, { text }, { streamCache: caches[process] as StreamCache });
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

test('A stream cache forgets the streams that were not used for the longest time, by the size of their events', () => {
  const cache = new StreamCache();
  const historyOf = (text: string) => [{ data: { text } }] as unknown as Parameters<StreamCache['set']>[1];
  const large = 'x'.repeat(1024 * 1024);
  for (let number = 0; number < 40; number++) cache.set(`stream-${number}`, historyOf(large));
  expect(cache.get('stream-0')).toBeUndefined();
  expect(cache.get('stream-39')).toBeDefined();
  cache.set('small', historyOf('x'));
  expect(cache.get('stream-30')).toBeDefined();
});
