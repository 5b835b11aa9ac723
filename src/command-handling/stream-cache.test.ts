import { beforeEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { policyStream } from '../domain/policy/policy.ts';
import { givenMerchants, importedPolicy } from '../../test/support/book.ts';
import { CommandHarness } from '../../test/support/command-harness.ts';
import { NOTES, passDoor, writeNote, writeNumberedNote } from '../../test/support/toy-commands.ts';
import type { CommandOutcome } from './request.ts';
import { cancelPolicy } from '../../commands/policy/cancel-policy.ts';
import { renewPolicy } from '../../commands/policy/renew-policy.ts';
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
const closed = { type: 'ParkedRetryRequested', data: { collection: 'notes', key: 'closed' } };
describe('What a process remembers of a stream that it has changed', () => {
  test('spares the next command the read, and is what a read would have given', async () => {
    await givenMerchants(h);
    const { policyId } = await importedPolicy(h);
    const renew = async (from: string) =>
      await h.run(renewPolicy, { policy_id: policyId, preferred_policy_start_date: from, policy_duration: 10 });
    await renew('2031-01-01');
    expect(read).toContain(policyStream(policyId));
    expect(h.ports.memory.recall(policyStream(policyId))).toEqual(await h.events(policyStream(policyId)));
    read = [];
    await renew('2032-01-01');
    await h.run(cancelPolicy, { policy_id: policyId, cancellation_reason: 'sold' });
    expect(read).not.toContain(policyStream(policyId));
    expect(h.ports.memory.recall(policyStream(policyId))).toEqual(await h.events(policyStream(policyId)));
  });

  test('never decides against what others have written since', async () => {
    await h.run(note, { text: 'a' });
    await h.given(NOTES, closed);
    expect((await h.refusal(note, { text: 'b' })).code).toBe('forbidden');
    expect(await h.events(NOTES)).toHaveLength(2);
  });

  test('is not what a command is refused by', async () => {
    const elsewhere = new StreamCache();
    await h.run(passDoor, { text: 'closed' });
    await h.run(passDoor, { text: 'opened' }, { memory: elsewhere });
    expect(await h.run(passDoor, { text: 'a' })).toMatchObject({ revision: 2 });
  });

  test('is left aside by a command that writes elsewhere too', async () => {
    await h.run(note, { text: 'a' });
    read = [];
    await h.run(writeNumberedNote, { text: 'b' });
    expect(read).toContain(NOTES);
  });

  test('must not be used by a command that says it changes one stream, and changes two', async () => {
    await h.run(note, { text: 'a' });
    const lying = { ...writeNumberedNote, changesOneStream: true as const };
    await expect(h.run(lying, { text: 'b' })).rejects.toThrow('not only to what it has recalled');
    expect(await h.events(NOTES)).toHaveLength(1);
  });

  test('is left aside when a key is recorded, so that a refusal leaves nothing behind', async () => {
    await h.run(passDoor, { text: 'a' });
    await h.run(passDoor, { text: 'closed' }, { memory: new StreamCache() });
    const refusal = await h.run(passDoor, { text: 'b' }, { key: 'k' }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'forbidden' });
    expect((await h.log()).map(({ stream }) => stream)).toEqual([NOTES, NOTES]);
  });

  test('is given up when another command of the process changes the stream', async () => {
    await h.run(note, { text: 'a' });
    await h.run(writeNumberedNote, { text: 'b' });
    expect(h.ports.memory.recall(NOTES)).toBeUndefined();
  });

  test('serves a repeat with a key like any other', async () => {
    await h.run(note, { text: 'a' });
    const first = await h.run(note, { text: 'b' }, { key: 'k' });
    const again = await h.run(note, { text: 'b' }, { key: 'k' });
    expect(again).toMatchObject({ replayed: true, revision: first.revision, result: first.result });
    expect(await h.events(NOTES)).toHaveLength(2);
  });

  const text = fc.constantFrom('a', 'b', 'closed', 'opened');
  const step = fc.record({ process: fc.nat(2), text, key: fc.option(fc.constantFrom('k1', 'k2')) });

  test('changes no outcome, whichever process is asked', async () => {
    const sequence = fc.array(step, { maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(sequence, async (steps) => {
        const [remembering, forgetful] = [new CommandHarness(), new CommandHarness()];
        const memories = [new StreamCache(), new StreamCache(), new StreamCache()];
        for (const { process, text: said, key } of steps) {
          const sent = key === null ? {} : { key: `${key} ${said}` };
          const outcomes = await Promise.allSettled([
            remembering.run(passDoor, { text: said }, { ...sent, memory: memories[process] as StreamCache }),
            forgetful.run(passDoor, { text: said }, { ...sent, memory: new StreamCache() }),
          ]);
          expect(told(outcomes[0])).toEqual(told(outcomes[1]));
        }
        const written = async (of: CommandHarness) => (await of.events(NOTES)).map(({ data }) => data);
        expect(await written(remembering)).toEqual(await written(forgetful));
      }),
    );
  });

  test('lets nothing through a closed door when all knock at once', async () => {
    const sequence = fc.array(step, { minLength: 2, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(sequence, async (steps) => {
        const many = new CommandHarness();
        const memories = [new StreamCache(), new StreamCache(), new StreamCache()];
        const knock = ({ process, text: said }: (typeof steps)[number]) =>
          many.run(passDoor, { text: said }, { memory: memories[process] as StreamCache });
        await knock({ process: 0, text: 'a', key: null });
        const outcomes = await Promise.allSettled(steps.map(knock));
        const written = (await many.events(NOTES)).map(({ data }) => (data as { key: string }).key);
        expect(written.filter((said, place) => written[place - 1] === 'closed' && said !== 'opened')).toEqual([]);
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(written.length - 1);
      }),
    );
  });
});

function told(outcome: PromiseSettledResult<CommandOutcome>): unknown {
  if (outcome.status === 'rejected') return (outcome.reason as { code?: string }).code;
  const { revision, replayed, result, events } = outcome.value;
  return { revision, replayed, result, data: events.map(({ data }) => data) };
}
