import type { Collection, Filter } from 'mongodb';

import type { CollectionDefinition, FindQuery, FindResult, IndexValue } from '../read-models.ts';
import { declared, fieldOf, fromKept, type Kept } from './stored-form.ts';

const nothing: FindResult = { count: 0, documents: [] };

/** A page of the documents that match, and how many there are in all. */
export async function find(
  collection: Collection<Kept>,
  definition: CollectionDefinition,
  query: FindQuery,
): Promise<FindResult> {
  if (Object.values(query.where ?? {}).some((wanted) => isList(wanted) && wanted.length === 0)) return nothing;
  const filter = filterOf(definition, query);
  const { limit, offset } = query;
  // To MongoDB a limit of 0 is none.
  const kept = limit === 0 ? [] : await page(collection, filter, { limit, offset });
  const documents = kept.map((one) => fromKept(definition, one));
  // A page that is not full is the last one, so it tells the count by itself.
  const isLast = documents.length < limit && (documents.length > 0 || offset === 0);
  return { count: isLast ? offset + documents.length : await collection.countDocuments(filter), documents };
}

async function page(
  collection: Collection<Kept>,
  filter: Filter<Kept>,
  { limit, offset }: Pick<FindQuery, 'limit' | 'offset'>,
): Promise<Kept[]> {
  return await collection.find(filter).sort({ createdAt: 1, _id: 1 }).skip(offset).limit(limit).toArray();
}

function filterOf(definition: CollectionDefinition, { where, contains, atMost }: FindQuery): Filter<Kept> {
  const conditions: Filter<Kept>[] = [{ listed: true }];
  const add = (index: string, condition: unknown): void => {
    conditions.push({ [fieldOf(declared(definition, index))]: condition });
  };
  for (const [index, wanted] of Object.entries(where ?? {})) add(index, isList(wanted) ? { $in: [...wanted] } : wanted);
  // From the first text on: what is no text does not match.
  for (const [index, most] of Object.entries(atMost ?? {})) add(index, { $gte: '', $lte: most });
  for (const [index, text] of Object.entries(contains ?? {})) {
    add(index, { $gte: '' });
    add(index, { $regex: escaped(text) });
  }
  return { $and: conditions };
}

/** A pattern that matches this text and no other. */
function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`).replaceAll('\0', String.raw`\x00`);
}

function isList(wanted: IndexValue | readonly IndexValue[]): wanted is readonly IndexValue[] {
  return Array.isArray(wanted);
}
