import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { FeedQuery } from '#queries/feed/feed.ts';
import type { FeedPoll } from '#queries/query.ts';
import { type FindQuery, logOrder } from '#stores/read-models/read-models.ts';
import { AwaitablePosition } from '#stores/event-log/awaitable-position.ts';
import { FeedPolls } from './feed-polls.ts';

const QUERY: FeedQuery = { feed: { index: 'feed', values: ['m live', 'm both'] }, subject: undefined };
const signal = new AbortController().signal;

let published: bigint;
let entries: { readonly position: bigint; readonly feed: string; readonly stream: string }[];
let reads: number;
let onRead: () => Promise<void> | void;
let waits: number;
const reached = () => new AwaitablePosition();
let position: AwaitablePosition;
let polls: FeedPolls;

beforeEach(() => {
  [published, entries, reads, waits, onRead] = [10n, [], 0, 0, () => {}];
  position = reached();
  polls = create();
});

/** Polls whose timers would keep the process alive, as the wait of the loop would. */
const started: FeedPoll[] = [];
afterEach(() => {
  polls.stop();
  position.end();
  for (const poll of started.splice(0)) poll.end();
});

function create(maxPolls = 100): FeedPolls {
  return new FeedPolls({
    maxPolls,
    log: { warn: () => {} } as never,
    projector: {
      status: () => ({ position: published }) as never,
      waitFor: async (wanted, timeoutMs) => {
        waits += 1;
        return await position.waitFor(wanted, timeoutMs);
      },
    },
    readModels: {
      find: async (_collection, { after, limit }: FindQuery) => {
        reads += 1;
        await onRead();
        const documents = entries
          .filter((entry) => logOrder(entry.position) > (after?.order ?? 0n))
          .slice(0, limit)
          .map((entry) => ({
            key: 'a',
            body: '',
            stream: entry.stream,
            revision: 0,
            position: entry.position,
            parked: undefined,
            order: logOrder(entry.position),
            indexes: { feed: entry.feed },
          }));
        return { count: documents.length, documents };
      },
    },
  });
}

/** Publishes events of a feed. */
function publish(upTo: bigint, feed = 'm live', stream = 'policy-1'): void {
  for (let next = (entries.at(-1)?.position ?? published) + 1n; next <= upTo; next++)
    entries.push({ position: next, feed, stream });
  published = upTo;
  position.moveTo(upTo);
}

const start = (timeoutMs = 5_000, key = 'k', query = QUERY) => {
  const poll = polls.start(query, key, timeoutMs, signal);
  if (poll === undefined) throw new Error('there are too many polls');
  started.push(poll);
  return poll;
};

describe('A poll of the feed', () => {
  test('is woken by an event of its feed and subject alone', async () => {
    const ofSubject = { ...QUERY, subject: '2' };
    const outcomes: string[] = [];
    void start()
      .waitAfter(10n)
      .then((outcome) => outcomes.push(`all ${outcome}`));
    void start(5_000, 'k', ofSubject)
      .waitAfter(10n)
      .then((outcome) => outcomes.push(`subject ${outcome}`));
    publish(11n, 'other live');
    await pause(20);
    expect(outcomes).toEqual([]);
    publish(12n, 'm both');
    await pause(20);
    expect(outcomes).toEqual(['all woken']);
    publish(13n, 'm live', 'claim-2');
    await pause(20);
    expect(outcomes).toEqual(['all woken', 'subject woken']);
    // Each entry was read once, for all polls.
    expect(reads).toBe(3);
  });

  test('that starts while many entries are read is woken for one that was read before', async () => {
    void start().waitAfter(10n);
    let late: Promise<string> | undefined;
    onRead = () => {
      // The first page of entries has been read.
      if (reads === 2) late = start(2_000).waitAfter(10n);
    };
    publish(10n + 1n);
    publish(10n + 1_500n, 'other live');
    await pause(50);
    expect(await late).toBe('woken');
  });

  test('after a position that is published already is woken at once while others wait', async () => {
    void start().waitAfter(10n);
    publish(11n, 'other live');
    await pause(20);
    expect(await start().waitAfter(9n)).toBe('woken');
  });

  test('waits where read models are behind, and is woken again from there', async () => {
    void start().waitAfter(10n);
    await pause(10);
    published = 5n;
    entries = [];
    const behind = start().waitAfter(5n);
    await pause(1_100);
    publish(6n);
    expect(await behind).toBe('woken');
  });

  test('ends after its time, at a stop, and with the connection; its place is free then', async () => {
    const short = start(20);
    expect(await short.waitAfter(10n)).toBe('timed_out');
    short.end();
    const controller = new AbortController();
    const aborted = polls.start(QUERY, 'k', 5_000, controller.signal);
    const outcome = aborted?.waitAfter(10n);
    controller.abort(new Error('closed'));
    await expect(outcome).rejects.toThrow('closed');
    aborted?.end();
    const open = Array.from({ length: 8 }, () => start());
    expect(polls.start(QUERY, 'k', 1, signal)).toBeUndefined();
    expect(polls.start(QUERY, 'another key', 1, signal)).toBeDefined();
    const waiting = open.map(async (poll) => await poll.waitAfter(10n));
    polls.stop();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['stopped']));
    for (const poll of open) poll.end();
    expect(polls.openPolls).toBe(1);
    expect(polls.start(QUERY, 'k', 1, signal)).toBeUndefined();
  });

  test('is refused where as many are open as the process allows', () => {
    polls = create(2);
    for (const key of ['a', 'b']) start(1, key);
    expect(polls.start(QUERY, 'c', 1, signal)).toBeUndefined();
  });

  test('does not hold the event loop while the projector does not wait', async () => {
    position = { waitFor: async () => await Promise.resolve(true), moveTo: () => {}, end: () => {} } as never;
    const outcome = start(100).waitAfter(10n);
    await pause(50);
    expect(waits).toBeLessThan(20);
    expect(await outcome).toBe('timed_out');
  });

  test('is woken to read for itself where entries cannot be read', async () => {
    onRead = () => {
      throw new Error('the store is away');
    };
    const outcome = start().waitAfter(10n);
    publish(11n);
    expect(await outcome).toBe('woken');
  });
});
