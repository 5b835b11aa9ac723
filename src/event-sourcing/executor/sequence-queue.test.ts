import { beforeEach, expect, jest, test } from '@jest/globals';
import { MemoryEventStore } from '#test/support/memory-event-store.ts';
import { derivedId } from '../identifiers.ts';
import { appendTo, WrongExpectedRevision } from '#stores/event-log/event-log.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { type NumberEvent, SequenceQueue } from './sequence-queue.ts';

const STREAM = 'sequence-claims';

let eventStore: MemoryEventStore;
let queue: SequenceQueue;

beforeEach(() => {
  eventStore = new MemoryEventStore();
  queue = new SequenceQueue();
});

function eventOf(commandId: string, recordedAt: string): NumberEvent {
  const metadata = { recordedAt, command: { name: 'Number', id: commandId } };
  return { id: derivedId(commandId, 'event'), type: 'NumberTaken.v1', data: { commandId }, metadata };
}

async function take(name: string, among = queue, mayBeRepeated = false): Promise<number> {
  const commandId = derivedId('command', name);
  const build = (notBefore: string) => [eventOf(commandId, notBefore > '2026' ? notBefore : '2026')];
  return (await among.append(eventStore, STREAM, { commandId, mayBeRepeated, build })).revision;
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `command ${index}`);

test('commands that wait for one sequence share an append, and each has its own entry', async () => {
  const append = jest.spyOn(eventStore, 'append');
  const revisions = await Promise.all(names(100).map(async (name) => await take(name)));
  expect(revisions).toEqual(names(100).map((_, index) => index));
  expect(append.mock.calls.length).toBeLessThanOrEqual(2);
  const entries = await eventStore.readStream(STREAM);
  expect(entries.map(({ data }) => data)).toEqual(
    names(100).map((name) => ({ commandId: derivedId('command', name) })),
  );
});

test('two processes that append to one sequence never give a number twice', async () => {
  const other = new SequenceQueue();
  const revisions = await Promise.all(
    names(60).map(async (name, index) => await take(name, index % 2 === 0 ? queue : other)),
  );
  expect(revisions.toSorted((a, b) => a - b)).toEqual(names(60).map((_, index) => index));
});

test('a command that waits twice at the same time takes one number', async () => {
  expect(await Promise.all([take('one'), take('two'), take('one')])).toEqual([0, 1, 0]);
  expect(await eventStore.readStream(STREAM)).toHaveLength(2);
});

test('an append that was written although it seemed to conflict is found', async () => {
  const append = eventStore.append.bind(eventStore);
  jest.spyOn(eventStore, 'append').mockImplementationOnce(async (appends) => {
    await append(appends.map((each) => ({ ...each, events: each.events.slice(0, 1) })));
    throw new WrongExpectedRevision(STREAM, 'no_stream', 0);
  });
  expect(await Promise.all([take('one'), take('two')])).toEqual([0, 1]);
  expect(await eventStore.readStream(STREAM)).toHaveLength(2);
});

test('a failure reaches every command that waits for that append, and the next ones succeed', async () => {
  jest.spyOn(eventStore, 'append').mockRejectedValueOnce(new StoreUnavailable('down'));
  const settled = await Promise.allSettled([take('one'), take('two')]);
  expect(settled.map(({ status }) => status)).toContain('rejected');
  expect(await take('three')).toBe((await eventStore.readStream(STREAM)).length - 1);
});

test('a retry whose first entry is written while it looks for it takes no second number', async () => {
  const commandId = derivedId('command', 'one');
  const read = eventStore.readStream.bind(eventStore);
  jest.spyOn(eventStore, 'readStream').mockImplementationOnce(async (...args) => {
    const before = await read(...args);
    await appendTo(eventStore, STREAM, 'no_stream', [eventOf(commandId, '2026')]);
    return before;
  });
  expect(await take('one', queue, true)).toBe(0);
  expect(await eventStore.readStream(STREAM)).toHaveLength(1);
});

test('a retry finds the number that its command took before others', async () => {
  await take('one');
  await take('two');
  expect(await Promise.all([take('three'), take('one', queue, true)])).toEqual([2, 0]);
});
