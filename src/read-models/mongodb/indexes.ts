import type { CreateIndexesOptions, IndexDescription } from 'mongodb';

import type { CollectionDefinition } from '../read-models.ts';
import { fieldOf } from './stored-form.ts';

/** Returns the name of the index of lists by an index, or of all documents. */
export function listIndexOf(index?: string): string {
  return index === undefined ? 'list' : `list by ${index}`;
}

/**
 * Returns the indexes of a collection. Indexes of lists contain only documents with a body, in the order of lists, so that a page for
 * one value needs no sort. They contain `listed` or `isParked`, without which MongoDB reads the document of every entry. A collection without one of these names counts as dropped (`inspectCollections`): adding or renaming an
 * index makes every installation rebuild its read models.
 */
export function indexesOf({ indexes }: CollectionDefinition): readonly IndexDescription[] {
  const order = { createdAt: 1, _id: 1, listed: 1 } as const;
  const listed: CreateIndexesOptions = { partialFilterExpression: { listed: true } };
  return [
    { key: order, name: listIndexOf(), ...listed },
    ...indexes.map((index) => ({ key: { [fieldOf(index)]: 1, ...order }, name: listIndexOf(index), ...listed })),
    {
      key: { position: 1, _id: 1, isParked: 1 },
      name: 'parked by position',
      partialFilterExpression: { isParked: true },
    },
  ] as IndexDescription[];
}
