import type {
  CollectionDefinition,
  DocumentReader,
  FindQuery,
  ReadModels,
  StoredDocument,
} from '#stores/read-models/read-models.ts';

/** A store for the read models under test, which is empty at first. */
export interface ReadModelsSubject {
  /** Opens the read models of these collections, after it has closed those that were opened before. */
  open(definitions: readonly CollectionDefinition[]): Promise<ReadModels>;
  dispose(): Promise<void>;
}

export type MakeReadModels = () => Promise<ReadModelsSubject>;

export const policies: CollectionDefinition = {
  name: 'policies',
  version: 1,
  indexes: ['merchant', 'status', 'test', 'amount'],
};

export const counted: CollectionDefinition = { ...policies, name: 'counted', countedBy: ['merchant', 'test'] };

export const claims: CollectionDefinition = { name: 'claims', version: 1, indexes: [] };

/** Creates a policy document with default values. */
export function policy(key: string, rest: Partial<StoredDocument> = {}): StoredDocument {
  return {
    key,
    body: `{"id":"${key}"}`,
    stream: `policy-${key}`,
    revision: 0,
    position: 1n,
    order: orderOf(key),
    parked: undefined,
    ...rest,
    indexes:
      'body' in rest && rest.body === undefined
        ? { merchant: null, status: null, test: null, amount: null }
        : { merchant: 'm1', status: 'active', test: false, amount: 10, ...rest.indexes },
  };
}

/** Returns an order by which documents follow each other as their keys do, if these differ at the beginning. */
export function orderOf(key: string): bigint {
  return Buffer.concat([Buffer.from(key), Buffer.alloc(8)]).readBigUInt64BE() >> 8n;
}

export function keys(documents: readonly Pick<StoredDocument, 'key'>[]): string[] {
  return documents.map(({ key }) => key);
}

/** Keys of a page in its order, with the count of all. */
export async function findKeys(
  readModels: Pick<DocumentReader, 'find'>,
  query: Partial<FindQuery>,
  collection = 'policies',
): Promise<{ readonly count: number; readonly keys: readonly string[] }> {
  const { count, documents } = await readModels.find(collection, { limit: 100, offset: 0, ...query });
  return { count, keys: keys(documents) };
}
