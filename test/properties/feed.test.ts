import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { eventEntries } from '#projections/event-entries/event-entries.ts';
import { listEvents } from '#queries/feed/list-events.ts';
import type { FeedResponse, QueryContext, Reader } from '#queries/query.ts';
import { AGGREGATES } from '#domain/events.ts';
import { PUBLIC_EVENT_TYPES } from '#domain/public-events.ts';
import { storedRows } from '#read-side/stored-documents.ts';
import { appendTo } from '#stores/event-log/event-log.ts';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { MemoryEventStore } from '../support/memory-event-store.ts';
import { openTestReadModels } from '../support/test-read-models.ts';
import { UNUSED_PARTS } from '../support/query-context.ts';

/** More for a long run by hand. */
const RUNS = Number(process.env['MODEL_RUNS'] ?? 600);

const MERCHANTS = ['aaaa', 'bbbb'].map((name) => derivedId('feed', name));
const WIRE_NAMES = AGGREGATES.filter(({ category }) =>
  ['customer', 'policy', 'claim', 'merchant', 'provider', 'product', 'environment'].includes(category),
).flatMap(({ category, events }) => [
  ...events.map(({ type, wireName }) => ({ category, wireName, isPublic: isPublicType(type) })),
  {
    category,
    wireName: 'Unknown.v7',
    isPublic: ['policy', 'claim', 'merchant', 'provider', 'product'].includes(category),
  },
]);

function isPublicType(type: string): boolean {
  return PUBLIC_EVENT_TYPES.has(type);
}

/**
 * An event: what it is, in which stream of its kind, of which merchant, and in which mode; of both where it is null.
 */
const anyEvent = fc.record({
  what: fc.constantFrom(...WIRE_NAMES),
  stream: fc.nat(2),
  merchant: fc.nat(1),
  isTest: fc.option(fc.boolean(), { freq: 2 }),
});
type AnyEvent = typeof anyEvent extends fc.Arbitrary<infer E> ? E : never;

/**
 * What the process does between two polls: stores the entry of one of the next events, publishes what is stored, or
 * nothing.
 */
const anyStep = fc.oneof(
  fc.record({ kind: fc.constant('store' as const), index: fc.nat(5) }),
  fc.record({ kind: fc.constant('publish' as const) }),
  fc.record({
    kind: fc.constant('poll' as const),
    reader: fc.nat(5),
    limit: fc.integer({ min: 1, max: 4 }),
    lag: fc.nat(3),
  }),
);

const READERS: readonly (readonly [Reader, isTest: boolean])[] = [
  ...MERCHANTS.flatMap((merchantId) =>
    [false, true].map((testMode) => [{ role: 'merchant', merchantId, environmentId: 1, testMode }, testMode] as const),
  ),
  [{ role: 'auditor' }, false],
  [{ role: 'auditor' }, true],
];

/** Returns whether a reader sees an event, by the rules of the feed alone. */
function isSeenBy([reader, isTest]: (typeof READERS)[number], event: AnyEvent): boolean {
  const { category, isPublic } = event.what;
  if (!isPublic || (event.isTest !== null && event.isTest !== isTest)) return false;
  if (reader.role !== 'merchant') return true;
  return category !== 'provider' && category !== 'product' && MERCHANTS[event.merchant] === reader.merchantId;
}

test(
  'A feed shows each reader its events in the order of the log, and never one before a served one, in whatever order entries are stored',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyEvent, { minLength: 1, maxLength: 12 }),
        fc.array(anyStep, { minLength: 10, maxLength: 60 }),
        async (events, steps) => {
          const run = await FeedRun.of(events);
          for (const step of steps) {
            if (step.kind === 'store') run.store(step.index);
            else if (step.kind === 'publish') run.publish();
            else await run.poll(step.reader, step.limit, step.lag);
          }
          run.storeAll();
          for (const reader of READERS.keys()) for (let polls = 0; polls < 13; polls++) await run.poll(reader, 3);
          for (const [index, reader] of READERS.entries()) {
            const seen = events.flatMap((event, number) => (isSeenBy(reader, event) ? [run.idOf(number)] : []));
            expect(run.served[index]).toEqual(seen);
          }
        },
      ),
      { numRuns: RUNS },
    );
  },
  60_000 + RUNS * 100,
);

class FeedRun {
  readonly served: string[][] = READERS.map(() => []);
  readonly #stored = new Set<number>();
  readonly #readModels = openTestReadModels([
    { name: eventEntries.name, version: 1, indexes: eventEntries.indexNames },
  ]);
  readonly #eventStore = new MemoryEventStore();
  #log: Awaited<ReturnType<MemoryEventStore['readAll']>> = [];
  /** Number of events that are published. */
  #published = 0;

  static async of(events: readonly AnyEvent[]): Promise<FeedRun> {
    const run = new FeedRun();
    await run.#readModels.serveEmpty();
    for (const [number, { what, stream, merchant, isTest }] of events.entries()) {
      const name = `${what.category}-${derivedId('feed stream', String(stream))}`;
      const last = await run.#eventStore.readLast(name);
      const metadata = {
        merchant: MERCHANTS[merchant],
        ...(isTest === null ? {} : { testMode: isTest }),
        customer: 'c',
      };
      const event = { id: derivedId('feed event', String(number)), type: what.wireName, data: {}, metadata };
      await appendTo(run.#eventStore, name, last?.revision ?? 'no_stream', [event]);
    }
    run.#log = await run.#eventStore.readAll({ after: undefined, limit: 100 });
    return run;
  }

  idOf(number: number): string {
    return this.#log[number]?.id ?? '';
  }

  /** Stores the entry of one of the events that are not stored, as a batch of several writes does. */
  store(index: number): void {
    const missing = [...this.#log.keys()].filter((number) => !this.#stored.has(number));
    const number = missing[index % Math.max(1, missing.length)];
    const event = number === undefined ? undefined : this.#log[number];
    if (number === undefined || event === undefined) return;
    this.#stored.add(number);
    if (!eventEntries.categories.includes(event.stream.split('-', 1).join(''))) return;
    for (const row of storedRows(eventEntries, event)) this.#readModels.put(eventEntries.name, row);
  }

  /** Publishes all events whose entries, and those of the events before them, are stored. */
  publish(): void {
    while (this.#stored.has(this.#published)) this.#published += 1;
  }

  storeAll(): void {
    for (const _ of this.#log) this.store(0);
    this.publish();
  }

  async poll(index: number, limit: number, lag = 0): Promise<void> {
    const [reader, isTest] = READERS[index] ?? [];
    const served = this.served[index];
    if (reader === undefined || served === undefined) return;
    const context = {
      reader,
      readModels: this.#readModels,
      eventStore: this.#eventStore,
      nextTurn: async () => {},
      ...UNUSED_PARTS,
      publicEvents: {
        ...UNUSED_PARTS.publicEvents,
        structuredEventOf: ({ id }: { readonly id: string }) => id,
        // Each process behind the load balancer knows another position as published.
        publishedPosition: () => this.#log[Math.max(0, this.#published - lag) - 1]?.position ?? 0n,
      },
    } as unknown as QueryContext;
    const last = served.at(-1);
    const search = listEvents.search.parse({
      limit: String(limit),
      ...(last === undefined ? {} : { lastEventId: last }),
      ...(reader.role === 'merchant' ? {} : { test_mode: String(isTest) }),
    });
    const page = (await listEvents.respond({ path: {}, search }, context)) as FeedResponse;
    served.push(...page.events);
  }
}
