import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { policies } from '#projections/policies/policies.ts';
import { PROJECTIONS } from '#projections/registry.ts';
import { Refusal } from '#domain/refusals.ts';
import type { Instant } from '#event-sourcing/time.ts';
import type { StoredDocument } from '#stores/read-models/read-models.ts';
import {
  customerRegistered,
  type SampleEvent,
  sampleId,
  policyCancelled,
  policyChanged,
  policyImported,
  policyPurchased,
  policyReinstated,
  policyRenewed,
  term,
  toEventToAppend,
} from '#test/support/sample-events.ts';
import { MemoryEventStore } from '#test/support/memory-event-store.ts';
import { openTestReadModels, type TestReadModels } from '#test/support/test-read-models.ts';
import { openTemporaryRecords } from '#stores/records/sqlite/sqlite-records.ts';
import { runTestProjector } from '#test/support/test-projector.ts';
import type { QueryContext } from '../query.ts';
import { readCustomerHistory } from './customer-history.ts';
import { documentKnownAt, replayHistory } from './document-history.ts';
import { getPolicyHistory, policySource } from './histories.ts';
import { ActorLabels } from '../actor-labels.ts';
import { historyOf } from './history-page.ts';
import { appendTo } from '#stores/event-log/event-log.ts';
import { applyChanges } from '#test/support/apply-changes.ts';
import { UNUSED_PARTS } from '#test/support/query-context.ts';

let eventStore: MemoryEventStore;
let readModels: TestReadModels;

beforeEach(() => {
  eventStore = new MemoryEventStore();
  readModels = openTestReadModels();
});

/** Appends events that were recorded at these times of one day. */
async function appendRecordedAt(...events: readonly (readonly [time: string, SampleEvent])[]): Promise<void> {
  for (const [time, sample] of events) {
    const last = await eventStore.readLast(sample.stream);
    const event = toEventToAppend(sample, (last?.revision ?? -1) + 1, at(time));
    await appendTo(eventStore, sample.stream, last?.revision ?? 'no_stream', [event]);
  }
}

const at = (time: string): Instant => `2026-03-01T${time}:00.000Z`;

/** The policy as the read models have it now. */
async function policy(): Promise<StoredDocument> {
  await runTestProjector({ eventStore, readModels });
  const document = await readModels.get('policies', sampleId('policy', 1));
  if (document === undefined) throw new Error('there is no policy');
  return document;
}

const context = (
  store: Pick<MemoryEventStore, 'readStream' | 'readAt' | 'lastPosition'> = eventStore,
): QueryContext => ({
  reader: { role: 'auditor' },
  key: { keyId: 'k1', label: 'audit', person: null, authority: null, access: 'full', expiresAt: null },
  readModels,
  records: openTemporaryRecords(),
  eventStore: store,
  collections: new Map(PROJECTIONS.map(({ name, version }) => [name, version])),
  now: at('23:59'),
  nextTurn,
  ...UNUSED_PARTS,
});

/** Returns the number of terms that the policy had at a time of the day. */
async function termsAt(time: string): Promise<number> {
  const document = await documentKnownAt(context(), policies, await policy(), at(time));
  return document.policy.terms.length;
}

const renewed = (year: number) => policyRenewed(1, 1, term(`${year}-01-01`, `${year}-12-31`));

describe('documentKnownAt', () => {
  test('leaves out events after a later one when the clock was set back', async () => {
    await appendRecordedAt(
      ['10:00', policyImported(1, 1)],
      ['10:05', renewed(2026)],
      ['10:03', renewed(2027)],
      ['10:04', renewed(2028)],
    );
    expect(await termsAt('10:00')).toBe(1);
    expect(await termsAt('10:04')).toBe(1);
    expect(await termsAt('10:05')).toBe(4);
  });

  test('contains all events of the instant', async () => {
    await appendRecordedAt(['10:00', policyImported(1, 1)], ['10:00', renewed(2026)]);
    expect(await termsAt('10:00')).toBe(2);
  });

  test('refuses an instant before the first event', async () => {
    await appendRecordedAt(['10:00', policyImported(1, 1)]);
    await expect(termsAt('09:59')).rejects.toMatchObject({ code: 'not_known_yet' });
  });
});

test('replayHistory reads the stream to its end when the document is behind the log', async () => {
  await appendRecordedAt(['10:00', policyImported(1, 1)], ['10:01', renewed(2026)]);
  const stored = await policy();
  await appendRecordedAt(['10:02', renewed(2027)]);
  const steps = await Array.fromAsync(replayHistory(context(), policies, stored));
  expect(steps.map(({ event }) => event.revision)).toEqual([0, 1, 2]);
  expect(steps.at(-1)?.after).not.toEqual(steps.at(-2)?.after);
});

test('the changes of a policy, applied in order, give view and terms of the day of the last event', async () => {
  const year = (of: number, premium?: string) => term(`${of}-01-01`, `${of}-12-31`, premium);
  const cancelled = { effectiveAt: '2026-06-30', cancelledAt: '2026-06-30T23:59:59.000Z' };
  const events = [
    policyPurchased(1, 1, year(2026), { status: 'accepted', autoRenew: true }),
    renewed(2027),
    policyChanged(1, 1, year(2026, '130.00')),
    policyCancelled(1, 1, cancelled),
    policyReinstated(1, 1),
  ];
  await appendRecordedAt(...events.map((event, hour) => [`1${hour}:00`, event] as const));
  const source = policySource('C-1');
  const entries = await Array.fromAsync(historyOf(context(), source, await policy()), (entry) => entry());
  const steps = await Array.fromAsync(replayHistory(context(), policies, await policy()));
  const labels = new ActorLabels(context());
  let document: unknown;
  for (const [index, { event, after }] of steps.entries()) {
    document = applyChanges(document, entries[index]?.changes ?? []);
    expect(document).toEqual(JSON.parse(JSON.stringify(after && source.toResource(after, event, labels))));
  }
  expect(entries.map(({ changes }) => changes.some(({ path }) => path.startsWith('/terms/')))).toEqual([
    false,
    true,
    true,
    true,
    true,
  ]);
  expect(entries[3]?.changes).toContainEqual({ path: '/terms/1/state', before: 'upcoming', after: 'cancelled' });
  expect(entries[1]?.changes).toContainEqual({ path: '/auto_renew', before: true, after: false });
});

test('a history and a past state wait for their place among the replays of the key', async () => {
  await appendRecordedAt(['10:00', policyImported(1, 1)]);
  const stored = await policy();
  const busy = { ...context(), replay: async () => await Promise.reject(new Refusal('busy', 'Too many')) };
  const path = { policy_id: stored.key };
  const policyHistory = getPolicyHistory.respond({ path, search: { limit: 20, offset: 0 } }, busy);
  await expect(policyHistory).rejects.toMatchObject({ code: 'busy' });
  await expect(documentKnownAt(busy, policies, stored, at('12:00'))).rejects.toMatchObject({ code: 'busy' });
});

describe('a long history', () => {
  const TERMS = 300;

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
    await appendRecordedAt(['10:00', policyImported(1, 1)]);
    for (let number = 1; number < TERMS; number++) await appendRecordedAt(['10:01', renewed(2025 + number)]);
    const stored = await policy();
    const replayed = Array.fromAsync(replayHistory(context(), policies, stored));
    expect(await countTurnsDuring(replayed)).toBeGreaterThan(TERMS / 20);
    const known = documentKnownAt(context(), policies, stored, at('12:00'));
    expect(await countTurnsDuring(known)).toBeGreaterThan(TERMS / 20);
  });

  test('is read some events at a time, which may be large', async () => {
    await appendRecordedAt(['10:00', policyImported(1, 1)]);
    for (let number = 1; number < 50; number++) await appendRecordedAt(['10:01', renewed(2025 + number)]);
    const stored = await policy();
    let largest = 0;
    const readStream: MemoryEventStore['readStream'] = async (...parameters) => {
      const events = await eventStore.readStream(...parameters);
      largest = Math.max(largest, events.length);
      return events;
    };
    const reading = { ...context(), eventStore: { ...context().eventStore, readStream } };
    expect(await Array.fromAsync(replayHistory(reading, policies, stored))).toHaveLength(50);
    expect((await documentKnownAt(reading, policies, stored, at('12:00'))).policy.terms).toHaveLength(50);
    expect(largest).toBe(20);
  });

  test('lets other requests run while that of a customer with many policies is read', async () => {
    const POLICIES = 300;
    await appendRecordedAt(['10:00', customerRegistered(1)]);
    for (let number = 1; number <= POLICIES; number++) await appendRecordedAt(['10:01', policyImported(1, number)]);
    await runTestProjector({ eventStore, readModels });
    let turns = 0;
    const counting = { ...context(), nextTurn: async () => void (turns += 1) };
    expect(await Array.fromAsync(readCustomerHistory(counting, sampleId('customer', 1)))).toHaveLength(POLICIES + 1);
    // For each stream, and for each of its events.
    expect(turns).toBeGreaterThanOrEqual(2 * (POLICIES + 1));
  });
});
