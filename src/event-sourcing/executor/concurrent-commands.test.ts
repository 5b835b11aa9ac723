import { beforeEach, describe, expect, test } from '@jest/globals';
import { idempotencyStream, sequenceStream } from '../system-events.ts';
import { derivedId } from '../identifiers.ts';
import { StateCache } from './state-cache.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { CommandHarness } from '#test/support/command-harness.ts';
import type { GivenEvent } from '#test/support/given.ts';
import { writeRandomNote, NOTES, writeNote, writeNumberedNote } from '#test/support/toy-commands.ts';

let h: CommandHarness;
beforeEach(() => {
  h = new CommandHarness();
});

const concurrentNote = { type: 'ParkedRetryRequested', data: { collection: 'notes', key: 'concurrent' } };

/** Appends to the stream right before each of the next `times` appends of a command. */
function appendConcurrently(stream: string, times: number, note: GivenEvent = concurrentNote): void {
  let left = times;
  h.eventStore.beforeAppend = async (appendedTo) => {
    if (appendedTo !== stream || left === 0) return;
    const hook = h.eventStore.beforeAppend;
    left -= 1;
    h.eventStore.beforeAppend = () => {};
    await h.given(stream, note);
    h.eventStore.beforeAppend = hook;
  };
}

async function keys(): Promise<unknown[]> {
  return (await h.events(NOTES)).map(({ data }) => (data as { key: string }).key);
}

describe('A command with a revision conflict', () => {
  test('reads and decides again', async () => {
    appendConcurrently(NOTES, 3);
    const outcome = await h.run(writeNote, { text: 'a' });
    expect(outcome).toMatchObject({ revision: 3, result: { before: 3 } });
    expect(await keys()).toEqual(['concurrent', 'concurrent', 'concurrent', 'a at 2026-03-01T10:00:00.000Z']);
  });

  test('is refused when the concurrent command made it invalid', async () => {
    appendConcurrently(NOTES, 1, { type: concurrentNote.type, data: { collection: 'notes', key: 'closed' } });
    expect((await h.expectRefusal(writeNote, { text: 'a' })).code).toBe('policy_not_active');
    expect(await keys()).toEqual(['closed']);
  });

  test('is refused as busy after twenty attempts and can be sent again with its key', async () => {
    appendConcurrently(NOTES, Number.POSITIVE_INFINITY);
    const refusal = await h.expectRefusal(writeNote, { text: 'a' }, { key: 'k' });
    expect(refusal).toMatchObject({ code: 'busy' });
    expect(await h.events(NOTES)).toHaveLength(20);
    h.eventStore.beforeAppend = () => {};
    expect(await h.run(writeNote, { text: 'a' }, { key: 'k' })).toMatchObject({ revision: 20, replayed: false });
  });

  test('keeps its number of a sequence', async () => {
    appendConcurrently(NOTES, 2);
    expect((await h.run(writeNumberedNote, { text: 'a' })).result).toEqual({ text: 'a 1' });
    expect((await h.run(writeNumberedNote, { text: 'b' })).result).toEqual({ text: 'b 2' });
    expect(await h.events(sequenceStream('note'))).toHaveLength(2);
  });
});

describe('A sequence of numbers', () => {
  test('repeats only the append to the sequence on a conflict', async () => {
    let runs = 0;
    const counted = {
      ...writeNumberedNote,
      handle: async (...args: Parameters<typeof writeNumberedNote.handle>) => {
        runs += 1;
        return await writeNumberedNote.handle(...args);
      },
    };
    appendConcurrently(sequenceStream('note'), 5, { type: 'NumberTaken', data: { commandId: 'concurrent' } });
    expect((await h.run(counted, { text: 'a' })).result).toEqual({ text: 'a 6' });
    expect(runs).toBe(1);
  });

  test('gives a retry the number that it took before', async () => {
    h.eventStore.beforeAppend = (stream) => {
      if (stream === NOTES) throw new StoreUnavailable('killed');
    };
    await expect(h.run(writeNumberedNote, { text: 'a' }, { key: 'k' })).rejects.toThrow(StoreUnavailable);
    h.eventStore.beforeAppend = () => {};
    expect((await h.run(writeNumberedNote, { text: 'b' })).result).toEqual({ text: 'b 2' });
    expect((await h.run(writeNumberedNote, { text: 'a' }, { key: 'k' })).result).toEqual({ text: 'a 1' });
    expect(await h.events(sequenceStream('note'))).toHaveLength(2);
  });

  test('counts an entry that cannot be parsed', async () => {
    const foreign = {
      id: derivedId('test', 'foreign'),
      type: 'Foreign.v1',
      data: {},
      metadata: { recordedAt: 'soon' },
    };
    await h.run(writeNumberedNote, { text: 'a' });
    await h.eventStore.append([{ stream: sequenceStream('note'), expected: 0, events: [foreign] }]);
    expect((await h.run(writeNumberedNote, { text: 'b' })).result).toEqual({ text: 'b 3' });
    expect((await h.run(writeNumberedNote, { text: 'c' }, { key: 'k' })).result).toEqual({ text: 'c 4' });
    expect((await h.run(writeNumberedNote, { text: 'c' }, { key: 'k' })).result).toEqual({ text: 'c 4' });
  });

  test('gives one number to a command that runs twice concurrently', async () => {
    let ran = false;
    h.eventStore.beforeAppend = async (stream) => {
      if (stream !== sequenceStream('note') || ran) return;
      ran = true;
      const stateCache = new StateCache();
      await h.run(writeNumberedNote, { text: 'other' }, { stateCache });
      await h.run(writeNumberedNote, { text: 'a' }, { key: 'k', stateCache });
    };
    const outcome = await h.run(writeNumberedNote, { text: 'a' }, { key: 'k' });
    expect(outcome.result).toEqual({ text: 'a 2' });
    expect(await keys()).toEqual(['other 1', 'a 2']);
    expect(await h.events(sequenceStream('note'))).toHaveLength(2);
  });
});

describe('A command that runs twice concurrently', () => {
  test('returns the stored result in both runs', async () => {
    let concurrent: unknown;
    h.eventStore.beforeAppend = async (stream) => {
      if (stream !== NOTES) return;
      h.eventStore.beforeAppend = () => {};
      concurrent = (await h.run(writeRandomNote, { text: '' }, { key: 'k' })).result.text;
    };
    const outcome = await h.run(writeRandomNote, { text: '' }, { key: 'k' });
    expect(outcome.result.text).toBe(concurrent);
    expect(await keys()).toEqual([concurrent]);
  });
});

describe('The time of recording', () => {
  test('never decreases in a stream, even if the clock does', async () => {
    await h.run(writeNote, { text: 'a' });
    h.now = '2026-02-27T23:00:00.000Z';
    await h.run(writeNote, { text: 'b' });
    const [, second] = await h.events(NOTES);
    expect(second?.metadata.recordedAt).toBe('2026-03-01T10:00:00.000Z');
    expect(second?.data).toMatchObject({ effectiveAt: '2026-03-01', key: 'b at 2026-02-27T23:00:00.000Z' });
  });

  test('never decreases in a sequence', async () => {
    await h.run(writeNumberedNote, { text: 'a' });
    h.now = '2026-02-27T23:00:00.000Z';
    await h.run(writeNumberedNote, { text: 'b' });
    const times = (await h.events(sequenceStream('note'))).map(({ metadata }) => metadata.recordedAt);
    expect(times).toEqual(['2026-03-01T10:00:00.000Z', '2026-03-01T10:00:00.000Z']);
  });
});

describe('The position of a response', () => {
  test('is that of the last append of the command', async () => {
    const outcome = await h.run(writeNumberedNote, { text: 'a' }, { key: 'k' });
    expect(outcome.position).toBe(await h.eventStore.lastPosition());
    expect(await h.events(idempotencyStream(outcome.commandId))).toHaveLength(1);
  });
});
