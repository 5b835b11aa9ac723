import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import type { AnyProjection } from '../../projections/projection.ts';
import { PROJECTIONS } from '../../projections/registry.ts';
import { type Aggregate, categoryOf } from '../event-sourcing/aggregate.ts';
import { AGGREGATES, decode, encode, EVENT_DEFINITIONS } from './events.ts';
import type { RawEvent } from '../event-sourcing/codec.ts';
import type { DomainEvent, RecordedEvent } from '../event-sourcing/event.ts';
import { sha256 } from '../event-sourcing/identifiers.ts';

/**
 * Samples of every version of every event ever written, as a log stores them: one file each, in a folder with the wire name.
 * Samples are never edited, because stored events are not either. New ones are added and listed in `checksums.json` with the
 * SHA-256 of their JSON without white space.
 */
const CORPUS = fileURLToPath(new URL('../../test/corpus/', import.meta.url));

interface Sample {
  readonly file: string;
  readonly raw: RawEvent;
}

const checksums = JSON.parse(readFileSync(`${CORPUS}checksums.json`, 'utf8')) as Readonly<Record<string, string>>;
const versions = readdirSync(CORPUS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const files = versions.flatMap((type) => readdirSync(`${CORPUS}${type}`).map((name) => `${type}/${name}`));
const samples: readonly Sample[] = files
  .map((file) => {
    const stored = JSON.parse(readFileSync(CORPUS + file, 'utf8')) as RawEvent & { position: string };
    const type = file.slice(0, file.indexOf('/'));
    return { file, raw: { ...stored, type, position: BigInt(stored.position) } };
  })
  .sort((a, b) => Number(a.raw.position - b.raw.position));

describe('the corpus of stored events', () => {
  test.each([...EVENT_DEFINITIONS.keys()])('has a sample of %s', (type) => {
    expect(samples.filter(({ raw }) => raw.type === type)).not.toHaveLength(0);
  });

  test.each(versions)('has only declared versions: %s', (type) => {
    expect(EVENT_DEFINITIONS.has(type)).toBe(true);
  });

  test('has exactly the listed samples', () => {
    expect([...files].sort()).toEqual(Object.keys(checksums).sort());
  });

  test.each(files)('was never edited: %s', (file) => {
    const content = JSON.stringify(JSON.parse(readFileSync(CORPUS + file, 'utf8')));
    expect(sha256(content)).toBe(checksums[file]);
  });

  test.each(samples)('decodes to an event that could be stored today: $file', ({ raw }) => {
    const event = decode(raw);
    expect(event.storedType).toBe(raw.type);
    expect(() => encode(event)).not.toThrow();
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
    const documents = [
      ...groupByKey((event) =>
        projection.categories.includes(categoryOf(event.stream)) ? projection.key(event) : undefined,
      ),
    ];

    test('has samples', () => expect(documents).not.toHaveLength(0));

    test.each(documents)('folds %s to a document that can be stored and found', (_key, events) => {
      const fold = () =>
        events.reduce<unknown>((document, event) => projection.fold(document as never, event), undefined);
      const document = fold();
      expect(document).toBeDefined();
      expect(JSON.parse(JSON.stringify(document))).toEqual(document);
      expect(JSON.stringify(fold())).toBe(JSON.stringify(document));
      expect(Object.keys(projection.indexes(document as never)).sort()).toEqual([...projection.indexNames].sort());
    });
  },
);

/**
 * SHA-256 of the documents into which each version of a projection folds the samples up to a position. The documents of a version
 * never change; a change of the fold needs a new version, because stored documents are used until then.
 */
const documentHashes = JSON.parse(readFileSync(`${CORPUS}documents.json`, 'utf8')) as Readonly<
  Record<string, { readonly upTo: string; readonly sha256: string }>
>;

test.each(PROJECTIONS.map((projection) => [`${projection.name} v${projection.version}`, projection] as const))(
  'the documents of %s are unchanged: raise the version to change them',
  (title, projection) => {
    const upTo = BigInt(documentHashes[title]?.upTo ?? samples.at(-1)?.raw.position ?? 0n);
    const eventsByKey = groupByKey((event) =>
      event.position <= upTo && projection.categories.includes(categoryOf(event.stream))
        ? projection.key(event)
        : undefined,
    );
    const documents = [...eventsByKey].map(([key, events]) => {
      const document = events.reduce<unknown>((before, event) => projection.fold(before as never, event), undefined);
      const indexes = document === undefined ? null : projection.indexes(document as never);
      return [key, document, indexes, ...partsOf(projection, document)];
    });
    expect({ [title]: documentHashes[title] }).toEqual({
      [title]: { upTo: upTo.toString(), sha256: sha256(JSON.stringify(documents)) },
    });
  },
);

/** Returns the documents of parts with their place and index values. */
function partsOf({ parts, indexes }: AnyProjection, document: unknown): readonly unknown[] {
  if (document === undefined || parts === undefined) return [];
  return parts(document as never).map(({ position, document: part, ...place }) => [
    { ...place, position: position.toString() },
    part ?? null,
    part === undefined ? null : indexes(part as never),
  ]);
}

/** Groups the events of the samples by a key, in the order of the log. */
function groupByKey(keyOf: (event: RecordedEvent) => string | undefined): Map<string, RecordedEvent[]> {
  const groups = new Map<string, RecordedEvent[]>();
  for (const { raw } of samples) {
    const event = decode(raw);
    const key = keyOf(event);
    if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  return groups;
}
