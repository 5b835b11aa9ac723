import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { PROJECTIONS } from '../../projections/registry.ts';
import type { Moment } from '../../src/event-sourcing/time.ts';
import type { StoredDocument } from '../../src/read-models/read-models.ts';
import {
  claimImported,
  claimReviewStarted,
  customerRegistered,
  type SampleEvent,
  sampleId,
  policyImported,
  policyRenewed,
  term,
  toEventToAppend,
} from '../../test/support/sample-events.ts';
import { type CustomerBook, customerBook } from '../../test/support/customer-book.ts';
import { MemoryEventStore } from '../../test/support/memory-event-store.ts';
import { MemoryReadModels } from '../../test/support/memory-read-models.ts';
import { MemoryRecords } from '../../test/support/memory-records.ts';
import { runTestProjector } from '../../test/support/test-projector.ts';
import type { QueryContext } from '../query.ts';
import { readCustomerHistory } from './customer-history-page.ts';
import { getCustomerHistory } from './get-customer-history.ts';
import { documentKnownAt, replayHistory } from './document-history.ts';

let eventStore: MemoryEventStore;
let readModels: MemoryReadModels;

beforeEach(() => {
  eventStore = new MemoryEventStore();
  readModels = new MemoryReadModels();
});

/** Appends events that were recorded at these times of one day. */
async function appendRecordedAt(...events: readonly (readonly [time: string, SampleEvent])[]): Promise<void> {
  for (const [time, sample] of events) {
    const last = await eventStore.readLast(sample.stream);
    const event = toEventToAppend(sample, (last?.revision ?? -1) + 1, at(time));
    await eventStore.append(sample.stream, last?.revision ?? 'no_stream', [event]);
  }
}

const at = (time: string): Moment => `2026-03-01T${time}:00.000Z`;

/** The customer as the read models have it now. */
async function customer(): Promise<StoredDocument> {
  await runTestProjector({ eventStore, readModels, projections: [...PROJECTIONS, customerBook] });
  const document = await readModels.get('customer_book', sampleId('customer', 1));
  if (document === undefined) throw new Error('there is no customer');
  return document;
}

const context = (store: Pick<MemoryEventStore, 'readStream' | 'lastPosition'> = eventStore): QueryContext => ({
  reader: { role: 'auditor' },
  readModels,
  records: new MemoryRecords(),
  eventStore: store,
  collections: new Map(PROJECTIONS.map(({ name, version }) => [name, version])),
  now: at('23:59'),
  today: '2026-03-01',
  nextTurn,
  runPortfolio: async () => await Promise.reject(new Error('there is no portfolio here')),
});

/** Returns the numbers of policies and claims that the customer had at a time of the day. */
async function countsAt(time: string): Promise<readonly number[]> {
  const document = await documentKnownAt<CustomerBook>(context(), customerBook, await customer(), at(time));
  return [document.policies.length, document.claims.length];
}

describe('documentKnownAt', () => {
  test('leaves out events after a later one when the clock was set back between streams', async () => {
    await appendRecordedAt(
      ['10:00', customerRegistered(1)],
      ['10:05', policyImported(1, 1)],
      ['10:03', claimImported(1, 1, 1)],
      ['10:04', policyImported(1, 2)],
    );
    expect(await countsAt('10:00')).toEqual([0, 0]);
    expect(await countsAt('10:04')).toEqual([0, 0]);
    expect(await countsAt('10:05')).toEqual([2, 1]);
  });

  test('contains all events of the moment', async () => {
    await appendRecordedAt(['10:00', customerRegistered(1)], ['10:00', policyImported(1, 1)]);
    expect(await countsAt('10:00')).toEqual([1, 0]);
  });

  test('refuses a moment before the first event', async () => {
    await appendRecordedAt(['10:00', customerRegistered(1)]);
    await expect(countsAt('09:59')).rejects.toMatchObject({ code: 'not_known_yet' });
  });
});

describe('replayHistory', () => {
  test('reads streams to their end when the document is behind the log', async () => {
    await appendRecordedAt(['10:00', customerRegistered(1)], ['10:01', policyImported(1, 1)]);
    const stored = await customer();
    await appendRecordedAt(['10:02', policyRenewed(1, 1, term('2026-01-01', '2026-12-31'))]);
    const steps = await Array.fromAsync(replayHistory<CustomerBook>(context(), customerBook, stored));
    expect(steps.map(({ event }) => event.type)).toEqual([
      'CustomerRegistered.v1',
      'PolicyImported.v2',
      'PolicyRenewed.v2',
    ]);
    expect(steps.at(-1)?.after?.policies).toHaveLength(2);
  });

  test('yields no event after a missing one when events are appended meanwhile', async () => {
    await appendRecordedAt(
      ['10:00', customerRegistered(1)],
      ['10:01', policyImported(1, 1)],
      ['10:02', claimImported(1, 1, 1)],
    );
    const stored = await customer();
    const meanwhile: (readonly [string, SampleEvent])[] = [
      ['10:03', policyRenewed(1, 1, term('2026-01-01', '2026-12-31'))],
      ['10:04', claimReviewStarted(1, 1, 1)],
    ];
    const store = {
      lastPosition: async () => await eventStore.lastPosition(),
      readStream: async (stream: string) => {
        const events = await eventStore.readStream(stream);
        if (stream.startsWith('policy-')) await appendRecordedAt(...meanwhile.splice(0));
        return events;
      },
    };
    const steps = await Array.fromAsync(replayHistory<CustomerBook>(context(store), customerBook, stored));
    expect(steps.map(({ event }) => event.position)).toEqual([1n, 2n, 3n]);
    expect(meanwhile).toEqual([]);
  });
});

describe('a long history', () => {
  const POLICIES = 300;

  /** Counts the turns of the event loop until the work is done. */
  async function countTurnsDuring(work: Promise<unknown>): Promise<number> {
    const state = { turns: 0, done: false };
    const finished = work.finally(() => {
      state.done = true;
    });
    for (; !state.done; state.turns++) await nextTurn();
    await finished;
    return state.turns;
  }

  test('lets other requests run while it is replayed', async () => {
    await appendRecordedAt(['10:00', customerRegistered(1)]);
    for (let number = 1; number <= POLICIES; number++) await appendRecordedAt(['10:01', policyImported(1, number)]);
    const stored = await customer();
    const page = { path: { id: stored.key }, search: { limit: 1, offset: 0 } };
    const replayed = Array.fromAsync(replayHistory(context(), customerBook, stored));
    expect(await countTurnsDuring(replayed)).toBeGreaterThan(POLICIES / 20);
    expect(await countTurnsDuring(documentKnownAt(context(), customerBook, stored, at('12:00')))).toBeGreaterThan(
      POLICIES / 20,
    );
    expect(await getCustomerHistory.answer(page, context())).toMatchObject({ count: POLICIES + 1 });
    let turns = 0;
    const counting = { ...context(), nextTurn: async () => void (turns += 1) };
    expect(await Array.fromAsync(readCustomerHistory(counting, stored.key))).toHaveLength(POLICIES + 1);
    // For each stream, and for each of its events.
    expect(turns).toBeGreaterThanOrEqual(2 * (POLICIES + 1));
  });
});
