import { type Collection, type CountDocumentsOptions, type Filter, type FindCursor, MongoServerError } from 'mongodb';
import type {
  CollectionDefinition,
  FindQuery,
  FindResult,
  IndexBounds,
  SortKey,
  ParkedDocument,
  ScanIndexOptions,
  StoredDocument,
} from '../read-models.ts';
import { requireIndex, countFromPage, isValueList, matchesNothing } from '../collection-definitions.ts';
import { listIndexOf } from './collections.ts';
import { fieldOf, fromStoredForm, sortableText, type StoredForm, toParking } from './stored-form.ts';

const NO_RESULT: FindResult = { count: 0, documents: [] };

export async function find(
  collection: Collection<StoredForm>,
  definition: CollectionDefinition,
  query: FindQuery,
): Promise<FindResult> {
  if (matchesNothing(query)) return NO_RESULT;
  const filter = filterOf(definition, query);
  // In MongoDB a limit of 0 means no limit.
  const stored = query.limit === 0 ? [] : await findPage(collection, filter, query);
  const documents = stored.map((one) => fromStoredForm(definition, one));
  const count = countFromPage(query, documents.length);
  return { count: count ?? (await countAll(collection, filter, query)), documents };
}

/** Error codes of a hint that names no index: BadValue and IndexNotFound. */
const NO_SUCH_INDEX: readonly unknown[] = [2, 27];

async function countAll(
  collection: Collection<StoredForm>,
  filter: Filter<StoredForm>,
  query: FindQuery,
): Promise<number> {
  try {
    return await collection.countDocuments(filter, countHintOf(query));
  } catch (error) {
    // The index was dropped, or is still to be built.
    if (!(error instanceof MongoServerError) || !NO_SUCH_INDEX.includes(error.code)) throw error;
    return await collection.countDocuments(filter);
  }
}

/**
 * Names the index that answers all conditions, whose entries alone are counted. Without a condition MongoDB would read
 * all documents.
 */
function countHintOf({ where, contains, atMost, above }: FindQuery): CountDocumentsOptions {
  const [index, ...others] = new Set(
    [where, contains, atMost, above].flatMap((conditions = {}) => Object.keys(conditions)),
  );
  return others.length > 0 ? {} : { hint: listIndexOf(index) };
}

async function findPage(
  collection: Collection<StoredForm>,
  filter: Filter<StoredForm>,
  query: FindQuery,
): Promise<readonly StoredForm[]> {
  const { limit, offset, after, before, newestFirst = false } = query;
  const sortKey = after ?? before;
  const order = newestFirst === (before === undefined) ? -1 : 1;
  const conditions = sortKey === undefined ? [] : [sortKeyCondition(sortKey, order === 1 ? '$gt' : '$lt')];
  const page = collection.find({ $and: [filter, ...conditions] });
  page.sort({ order }).skip(offset).limit(limit);
  const found = offset === 0 ? await page.toArray() : await findByKeys(collection, await keysOf(page));
  return before === undefined ? found : found.toReversed();
}

/**
 * Returns a page in the order of an index: first the rest of the documents with the value of `after`, then those with
 * the next ones.
 */
export async function scanIndex(
  collection: Collection<StoredForm>,
  definition: CollectionDefinition,
  { index, atLeast = '', atMost, backwards = false, after, limit }: ScanIndexOptions,
): Promise<readonly StoredDocument[]> {
  const field = fieldOf(requireIndex(definition, index));
  const order = backwards ? -1 : 1;
  const read = async (conditions: readonly Filter<StoredForm>[], count: number): Promise<readonly StoredForm[]> => {
    const page = collection.find({ $and: [{ listed: true }, ...conditions] });
    return await page
      .sort({ [field]: order, order })
      .limit(count)
      .toArray();
  };
  const value = after?.indexes[index];
  const beyond = after && sortKeyCondition(after, backwards ? '$lt' : '$gt');
  const rest = beyond === undefined ? [] : await read([{ [field]: value }, beyond], limit);
  const missing = limit - rest.length;
  const start = backwards ? { $lt: value } : { $gt: value };
  // Bounds that are texts match text only.
  const next = { [field]: { $gte: atLeast, $lte: atMost, ...(after !== undefined && start) } };
  const found = missing === 0 ? rest : [...rest, ...(await read([next], missing))];
  return found.map((stored) => fromStoredForm(definition, stored));
}

export async function countIndex(
  collection: Collection<StoredForm>,
  definition: CollectionDefinition,
  { index, atLeast = '', atMost, limit }: IndexBounds & { readonly limit: number },
): Promise<number> {
  const field = fieldOf(requireIndex(definition, index));
  return await collection.countDocuments({ listed: true, [field]: { $gte: atLeast, $lte: atMost } }, { limit });
}

export async function findParked(
  collection: Collection<StoredForm>,
  { limit, offset }: Pick<FindQuery, 'limit' | 'offset'>,
): Promise<readonly ParkedDocument[]> {
  // In MongoDB a limit of 0 means no limit.
  if (limit === 0) return [];
  const page = collection.find({ isParked: true }).sort({ position: 1, _id: 1 }).skip(offset).limit(limit);
  const stored = await page.project<Pick<StoredForm, '_id' | 'parked'>>({ parked: 1 }).toArray();
  return stored.flatMap(({ _id: key, parked }) => (parked === undefined ? [] : [{ key, parked: toParking(parked) }]));
}

/** Reads index entries only, where one index answers the filter. */
async function keysOf(page: FindCursor<StoredForm>): Promise<readonly string[]> {
  return (await page.project<Pick<StoredForm, '_id'>>({ _id: 1 }).toArray()).map(({ _id }) => _id);
}

async function findByKeys(collection: Collection<StoredForm>, keys: readonly string[]): Promise<readonly StoredForm[]> {
  if (keys.length === 0) return [];
  const found = await collection.find({ _id: { $in: [...keys] }, listed: true }).toArray();
  const byKey = new Map(found.map((stored) => [stored._id, stored]));
  return keys.flatMap((key) => byKey.get(key) ?? []);
}

function filterOf(definition: CollectionDefinition, { where, contains, atMost, above }: FindQuery): Filter<StoredForm> {
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
  return { $and: conditions };
}

function sortKeyCondition({ order }: SortKey, comparison: '$lt' | '$gt'): Filter<StoredForm> {
  return { order: { [comparison]: sortableText(order) } };
}

function escapeRegex(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`).replaceAll('\0', String.raw`\x00`);
}
