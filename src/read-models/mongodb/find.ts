import type { Collection, Filter } from 'mongodb';

import type { CollectionDefinition, FindQuery, FindResult, IndexValue, ListPlace } from '../read-models.ts';
import { requireIndex, fieldOf, fromStoredForm, type StoredForm } from './stored-form.ts';

const NO_RESULT: FindResult = { count: 0, documents: [] };

/** Returns a page of the matching documents, and the number of all matches. */
export async function find(
  collection: Collection<StoredForm>,
  definition: CollectionDefinition,
  query: FindQuery,
): Promise<FindResult> {
  if (Object.values(query.where ?? {}).some((value) => isValueList(value) && value.length === 0)) return NO_RESULT;
  const filter = filterOf(definition, query);
  const { limit, offset, newestFirst = false, skipCount = false } = query;
  // In MongoDB a limit of 0 means no limit.
  const stored = limit === 0 ? [] : await findPage(collection, filter, { limit, offset, newestFirst });
  const documents = stored.map((one) => fromStoredForm(definition, one));
  // A page that is not full is the last one, so the count follows from it.
  const isLast = documents.length < limit && (documents.length > 0 || offset === 0);
  return {
    count: isLast || skipCount ? offset + documents.length : await collection.countDocuments(filter),
    documents,
  };
}

async function findPage(
  collection: Collection<StoredForm>,
  filter: Filter<StoredForm>,
  { limit, offset, newestFirst }: Pick<FindQuery, 'limit' | 'offset' | 'newestFirst'>,
): Promise<StoredForm[]> {
  const order = newestFirst === true ? -1 : 1;
  return await collection.find(filter).sort({ createdAt: order, _id: order }).skip(offset).limit(limit).toArray();
}

function filterOf(
  definition: CollectionDefinition,
  { where, contains, atMost, above, after, newestFirst }: FindQuery,
): Filter<StoredForm> {
  const conditions: Filter<StoredForm>[] = [{ listed: true }];
  const add = (index: string, condition: unknown): void => {
    conditions.push({ [fieldOf(requireIndex(definition, index))]: condition });
  };
  for (const [index, value] of Object.entries(where ?? {}))
    add(index, isValueList(value) ? { $in: [...value] } : value);
  // `$gte: ''` matches text only.
  for (const [index, bound] of Object.entries(atMost ?? {})) add(index, { $gte: '', $lte: bound });
  for (const [index, bound] of Object.entries(above ?? {})) add(index, { $gte: '', $gt: bound });
  for (const [index, text] of Object.entries(contains ?? {})) {
    add(index, { $gte: '' });
    add(index, { $regex: escapeRegex(text) });
  }
  if (after !== undefined) conditions.push(placeCondition(after, newestFirst === true ? '$lt' : '$gt'));
  return { $and: conditions };
}

/** The bound of `createdAt` outside of `$or` lets MongoDB begin in the index at the place. */
function placeCondition({ createdAt, key }: ListPlace, comparison: '$lt' | '$gt'): Filter<StoredForm> {
  return {
    createdAt: { [`${comparison}e`]: createdAt },
    $or: [{ createdAt: { [comparison]: createdAt } }, { _id: { [comparison]: key } }],
  };
}

function escapeRegex(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`).replaceAll('\0', String.raw`\x00`);
}

function isValueList(value: IndexValue | readonly IndexValue[]): value is readonly IndexValue[] {
  return Array.isArray(value);
}
