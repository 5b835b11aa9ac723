import { randomUUID } from 'node:crypto';
import type { Collection, Db, Filter, UpdateFilter } from 'mongodb';
import { isDuplicateKey } from '../../mongodb/connection.ts';
import { TakenOver } from '../../shared/taken-over.ts';
import type { Checkpoint, GenerationsState } from '../read-models.ts';
import { sortableText } from './stored-form.ts';

export interface Entry {
  /** Part of the names of its collections: one that is created again has other collections. */
  readonly id: string;
  /** Id of the last takeover, so that writes of the processes before it are rejected. */
  readonly owner: string;
  readonly position?: string;
  readonly eventId?: string;
  readonly latestRecordedAt?: string;
}

/** All generations of one hash, by their numbers. */
export interface Generations {
  readonly _id: string;
  readonly served?: number;
  /** The served generation may change at any moment, so readers must read this document with every request. */
  readonly isSwitching?: boolean;
  readonly refused?: Readonly<Record<string, string>>;
  readonly entries?: Readonly<Record<string, Entry>>;
}

const COLLECTION = 'read_models';
const ID_LENGTH = 8;

/** Returns the prefix of the names of all collections of a hash. */
function prefixOf(hash: string): string {
  return `${COLLECTION}_${hash}_`;
}

/** Returns the prefix of the names of the collections of a generation. */
export function prefixOfEntry(hash: string, number: number | string, { id }: Pick<Entry, 'id'>): string {
  return `${prefixOf(hash)}${number}_${id}_`;
}

function generationsOf(database: Db): Collection<Generations> {
  return database.collection<Generations>(COLLECTION);
}

export async function readGenerations(database: Db, hash: string): Promise<Generations> {
  return (await generationsOf(database).findOne({ _id: hash })) ?? { _id: hash };
}

export function toState({ served, refused = {} }: Generations): GenerationsState {
  return { served, refused: new Map(Object.entries(refused).map(([number, reason]) => [Number(number), reason])) };
}

export function toCheckpoint(entry: Entry | undefined): Checkpoint | undefined {
  const { position, eventId = '', latestRecordedAt = '' } = entry ?? {};
  return position === undefined ? undefined : { position: BigInt(position), eventId, latestRecordedAt };
}

/**
 * Makes this process the owner of a generation, and adds its entry if it is missing. Returns the entry.
 * @throws {TakenOver} when another process does the same at once
 */
export async function takeOverEntry(database: Db, hash: string, number: number): Promise<Entry> {
  const all = generationsOf(database);
  const [field, owner] = [`entries.${number}`, randomUUID()];
  const taken = { $set: { [`${field}.owner`]: owner } };
  const { matchedCount } = await all.updateOne({ _id: hash, [field]: { $exists: true } }, taken);
  if (matchedCount === 0) {
    const add = { $set: { [field]: { id: randomUUID().slice(0, ID_LENGTH), owner } } };
    await all.updateOne({ _id: hash, [field]: { $exists: false } }, add, { upsert: true }).catch(ignoreDuplicate);
  }
  const entry = (await readGenerations(database, hash)).entries?.[number];
  if (entry?.owner !== owner) throw takenOver(number);
  return entry;
}

export function takenOver(number: number): TakenOver {
  return new TakenOver(`The generation ${number} of the read models`);
}

/** Another process has added the document or the entry. */
function ignoreDuplicate(error: unknown): void {
  if (!isDuplicateKey(error)) throw error;
}

/** Changes the document if this process still owns the generation. @throws {TakenOver} */
export async function updateAsOwner(
  database: Db,
  { hash, number, owner }: { readonly hash: string; readonly number: number; readonly owner: string },
  update: UpdateFilter<Generations>,
  condition: Filter<Generations> = {},
): Promise<void> {
  const owned = { _id: hash, [`entries.${number}.owner`]: owner };
  const { matchedCount } = await generationsOf(database).updateOne({ $and: [owned, condition] }, update);
  if (matchedCount === 0) throw takenOver(number);
}

export function settingCheckpoint(number: number, checkpoint: Checkpoint): UpdateFilter<Generations> {
  const { position, eventId, latestRecordedAt } = checkpoint;
  const field = `entries.${number}`;
  return {
    $set: {
      [`${field}.position`]: sortableText(position),
      [`${field}.eventId`]: eventId,
      [`${field}.latestRecordedAt`]: latestRecordedAt,
    },
  };
}

/**
 * Removes an entry unless it was created again. A generation without one is not served; the next switch waits until
 * every process has learnt of that.
 */
export async function removeEntry(database: Db, hash: string, number: string, { id }: Entry): Promise<void> {
  const all = generationsOf(database);
  const one = { _id: hash, [`entries.${number}.id`]: id };
  await all.updateOne(
    { $and: [one, { served: Number(number) }] },
    {
      $unset: { served: '' },
      $set: { isSwitching: true },
    },
  );
  await all.updateOne(one, { $unset: { [`entries.${number}`]: '' } });
}

/** Deletes the collections of a hash that belong to no entry. */
export async function dropUnlisted(database: Db, hash: string): Promise<void> {
  const names = await collectionNames(database, prefixOf(hash));
  // After the names, because an entry is added before its collections are created.
  const { entries = {} } = await readGenerations(database, hash);
  const used = Object.entries(entries).map(([number, entry]) => prefixOfEntry(hash, number, entry));
  for (const name of names) if (!used.some((prefix) => name.startsWith(prefix))) await database.dropCollection(name);
}

export async function dropOtherHashes(database: Db, hash: string): Promise<void> {
  for (const name of await collectionNames(database, `${COLLECTION}_`))
    if (!name.startsWith(prefixOf(hash))) await database.dropCollection(name);
  await generationsOf(database).deleteMany({ _id: { $ne: hash } });
}

async function collectionNames(database: Db, prefix: string): Promise<readonly string[]> {
  const found = await database.listCollections({}, { nameOnly: true }).toArray();
  return found.flatMap(({ name }) => (name.startsWith(prefix) ? [name] : []));
}
