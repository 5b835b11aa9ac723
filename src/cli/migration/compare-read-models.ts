import { isDeepStrictEqual } from 'node:util';
import type { ReadModels, StoredDocument } from '#stores/read-models/read-models.ts';

interface DocumentDifference {
  readonly collection: string;
  readonly key: string;
  /** `unexpected`: only on the servers; `missing`: only in the folder; otherwise the fields that differ. */
  readonly what: 'unexpected' | 'missing' | readonly string[];
}

export interface ReadModelComparison {
  readonly compared: number;
  readonly differences: readonly DocumentDifference[];
}

type Documents = Pick<ReadModels, 'scan' | 'getMany'>;

const PAGE = 500;

/** Compares every document except for positions, also those in its body, because they differ between logs. */
export async function compareReadModels(
  source: Documents,
  target: Documents,
  collections: readonly string[],
  onCompared: (collection: string, documents: number) => void,
): Promise<ReadModelComparison> {
  const differences: DocumentDifference[] = [];
  let compared = 0;
  for (const collection of collections) {
    for await (const page of pagesOf(source, collection)) {
      const copies = await byKey(target, collection, page);
      for (const document of page) {
        const what = differenceOf(document, copies.get(document.key));
        if (what !== undefined) differences.push({ collection, key: document.key, what });
      }
      compared += page.length;
      onCompared(collection, compared);
    }
    for await (const page of pagesOf(target, collection)) {
      const originals = await byKey(source, collection, page);
      for (const { key } of page) {
        if (!originals.has(key)) differences.push({ collection, key, what: 'unexpected' });
      }
    }
  }
  return { compared, differences };
}

function differenceOf(
  original: StoredDocument,
  copy: StoredDocument | undefined,
): DocumentDifference['what'] | undefined {
  if (copy === undefined) return 'missing';
  const [wanted, found] = [withoutPositions(original), withoutPositions(copy)];
  const parts = (Object.keys(wanted) as (keyof typeof wanted)[]).filter(
    (part) => !isDeepStrictEqual(wanted[part], found[part]),
  );
  return parts.length === 0 ? undefined : parts;
}

/** A body has positions only in members of this name, as digits. In a text, the quotes would be escaped. */
const POSITION_MEMBER = /"position":"\d+"/g;
/** The creation time of a document of one event, or of a part, begins with its position. */
const PADDED_POSITION = /^\d{20}/;

function withoutPositions({ body, stream, revision, createdAt, indexes, parked }: StoredDocument) {
  const parkedAt = parked === undefined ? undefined : [parked.reason, parked.eventId, parked.eventType];
  return {
    body: body?.replaceAll(POSITION_MEMBER, ''),
    stream,
    revision,
    createdAt: createdAt.replace(PADDED_POSITION, ''),
    indexes: { ...indexes },
    parked: parkedAt,
  };
}

async function byKey(
  readModels: Documents,
  collection: string,
  page: readonly StoredDocument[],
): Promise<ReadonlyMap<string, StoredDocument>> {
  const found = await readModels.getMany(
    collection,
    page.map(({ key }) => key),
  );
  return new Map(found.map((document) => [document.key, document]));
}

async function* pagesOf(readModels: Documents, collection: string): AsyncGenerator<readonly StoredDocument[]> {
  for (let after: string | undefined; ; ) {
    const page = await readModels.scan(collection, { after, limit: PAGE });
    if (page.length === 0) return;
    yield page;
    after = page.at(-1)?.key;
  }
}
