import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { AnyProjection } from '#projections/projection.ts';
import { PROJECTIONS } from '#projections/registry.ts';
import { CORPUS, CORPUS_DOCUMENTS, readCorpus } from '#test/support/corpus.ts';
import { type Aggregate, categoryOf, idOf } from '#event-sourcing/aggregate.ts';
import { AGGREGATES, decode, encode, EVENT_DEFINITIONS, keepDecoded } from './events.ts';
import type { DomainEvent, RecordedEvent, StoredMetadata } from '#event-sourcing/event.ts';
import { sha256 } from '#event-sourcing/identifiers.ts';

const samples = readCorpus();
const textOf = ({ data, metadata }: RecordedEvent): string => JSON.stringify({ data, metadata });

describe('the corpus of stored events', () => {
  test.each([...EVENT_DEFINITIONS.keys()])('has a sample of %s', (type) => {
    expect(samples.filter((raw) => raw.type === type)).not.toHaveLength(0);
  });

  test.each(samples)('decodes to an event that could be stored today: $type at $position', (raw) => {
    const { type, storedType } = decode(raw);
    expect(storedType).toBe(raw.type);
    expect(encode({ type, data: raw.data })).toMatchObject({ type: raw.type, data: raw.data });
  });

  test.each(samples)('decodes to the same event as kept from its append: $type at $position', (raw) => {
    const { type } = decode(raw);
    const appended = { ...raw };
    keepDecoded([appended], [encode({ type, data: raw.data })], raw.metadata as StoredMetadata);
    appended.data = {};
    expect(decode(appended)).toStrictEqual(decode(raw));
    expect(textOf(decode(appended))).toBe(textOf(decode(raw)));
  });

  test('has every stream from its first event', () => {
    for (const [, events] of groupByKey((event) => event.stream)) {
      expect(events.map(({ revision }) => revision)).toEqual(events.map((_, index) => index));
    }
  });
});

describe.each(AGGREGATES.map((aggregate) => [aggregate.category, aggregate] as const))(
  'the aggregate %s',
  (category, aggregate) => {
    const { evolve } = aggregate as Aggregate<unknown, DomainEvent>;
    const streams = [...groupByKey((event) => (categoryOf(event.stream) === category ? event.stream : undefined))];

    test('has samples', () => expect(streams).not.toHaveLength(0));

    test.each(streams)('folds %s, twice to the same state', (_stream, events) => {
      const fold = () => events.reduce<unknown>((state, event) => evolve(state, event), undefined);
      expect(fold()).toBeDefined();
      expect(fold()).toEqual(fold());
    });
  },
);

describe.each(PROJECTIONS.map((projection) => [projection.name, projection] as const))(
  'the projection %s',
  (_name, projection) => {
    const streams = [...streamsOf(projection)];

    test('has samples', () => expect(streams).not.toHaveLength(0));

    test.each(streams)('makes documents of %s that can be stored and found', (_key, events) => {
      const documents = documentsOf(projection, events);
      expect(documents.map(({ document }) => document)).not.toContain(undefined);
      expect(JSON.parse(JSON.stringify(documents))).toEqual(documents);
      expect(JSON.stringify(documentsOf(projection, events))).toBe(JSON.stringify(documents));
      for (const { indexes } of documents)
        expect(Object.keys(indexes).sort()).toEqual([...projection.indexNames].sort());
    });
  },
);

const DOCUMENTS = CORPUS + CORPUS_DOCUMENTS;
/** `RECORD_CORPUS=1` replaces the hashes; review what changed them before a commit. */
const isRecording = process.env['RECORD_CORPUS'] === '1';

test('the documents are unchanged; RECORD_CORPUS=1 records an intended change', () => {
  const hashes = Object.fromEntries(
    PROJECTIONS.map((projection) => {
      const streams = [...streamsOf(projection)].map(([key, events]) => [key, documentsOf(projection, events)]);
      return [projection.name, sha256(JSON.stringify(streams))];
    }),
  );
  if (isRecording) writeFileSync(DOCUMENTS, `${JSON.stringify(hashes, null, 2)}\n`);
  expect(hashes).toEqual(JSON.parse(readFileSync(DOCUMENTS, 'utf8')));
});

function streamsOf({ categories }: AnyProjection): Map<string, RecordedEvent[]> {
  return groupByKey(({ stream }) => (categories.includes(categoryOf(stream)) ? idOf(stream) : undefined));
}

/** Returns the document of the events of a stream, or the rows that they add, with index values and view. */
function documentsOf(projection: AnyProjection, events: readonly RecordedEvent[]) {
  if ('rows' in projection)
    return events.flatMap((event) => projection.rows({ ...event, type: event.storedType }, () => event));
  const document = events.reduce<unknown>((before, event) => projection.fold(before as never, event), undefined);
  return [{ document, indexes: projection.indexes(document as never), view: projection.view?.(document as never) }];
}

/** Groups the events of the samples by a key, in the order of the log. */
function groupByKey(keyOf: (event: RecordedEvent) => string | undefined): Map<string, RecordedEvent[]> {
  const groups = new Map<string, RecordedEvent[]>();
  for (const raw of samples) {
    const event = decode(raw);
    const key = keyOf(event);
    if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  return groups;
}
