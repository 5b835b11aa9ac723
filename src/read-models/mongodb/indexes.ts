import type { CreateIndexesOptions, IndexDescription } from 'mongodb';

import type { CollectionDefinition } from '../read-models.ts';
import { fieldOf } from './stored-form.ts';

/**
 * Only documents with a body are listed, and only they are in the indexes of lists; each index holds its documents in the
 * order of lists, so that a page by one value is read without sorting. Where one of these names is missing, the collection counts as
 * dropped (`standingOf`): a further or renamed one has every installation make its read models anew.
 */
export function indexesOf({ indexes }: CollectionDefinition): readonly IndexDescription[] {
  const order = { createdAt: 1, _id: 1 } as const;
  const listed: CreateIndexesOptions = { partialFilterExpression: { listed: true } };
  return [
    { key: order, name: 'list', ...listed },
    ...indexes.map((index) => ({ key: { [fieldOf(index)]: 1, ...order }, name: `list by ${index}`, ...listed })),
    { key: { position: 1, _id: 1 }, name: 'parked', partialFilterExpression: { isParked: true } },
  ] as IndexDescription[];
}
