import { requireIndex } from '../collection-definitions.ts';
import type {
  CollectionDefinition,
  DocumentState,
  DocumentView,
  IndexValue,
  Parking,
  StoredDocument,
  View,
} from '../read-models.ts';
import type { Collection, Db } from 'mongodb';

export interface MongoDefinition extends CollectionDefinition {
  readonly collectionName: string;
}

export function collectionOf(database: Db, { collectionName }: MongoDefinition): Collection<StoredForm> {
  return database.collection<StoredForm>(collectionName);
}

/** Digits of a 64-bit number: padded text sorts like the numbers. */
const DIGITS = 20;

export interface StoredForm {
  readonly _id: string;
  readonly position: string;
  /** `order` as text that sorts like the number. */
  readonly order: string;
  /** Whether the document has a body, so that lists include it. */
  readonly listed: boolean;
  readonly isParked: boolean;
  readonly by: Readonly<Record<string, IndexValue>>;
  readonly stream: string;
  readonly revision: number;
  readonly parked?: Omit<Parking, 'position'> & { readonly position: string };
  /** JSON text, so that it is returned byte for byte. */
  readonly body?: string;
  readonly view?: View;
}

/** Returns a position or an `order` as text that sorts alike. The driver stores a bigint of more than 64 bits as 0. */
export function sortableText(number: bigint): string {
  return number.toString().padStart(DIGITS, '0');
}

/** Returns the path of an index in a stored document, without dots and dollars, which MongoDB interprets. */
export function fieldOf(index: string): string {
  return `by.${fieldName(index)}`;
}

function fieldName(index: string): string {
  return encodeURIComponent(index).replaceAll('.', '%2E');
}

/** @throws when the document has no key, or a value for an index that is not declared */
export function toStoredForm(definition: CollectionDefinition, document: StoredDocument): StoredForm {
  const { key, body, view, position, order, indexes, stream, revision, parked } = document;
  if (key === '') throw new Error(`A document of ${definition.name} has no key`);
  for (const index in indexes) requireIndex(definition, index);
  const by = Object.fromEntries(definition.indexes.map((index) => [fieldName(index), indexes[index] ?? null]));
  return {
    _id: key,
    position: sortableText(position),
    order: sortableText(order),
    listed: body !== undefined,
    isParked: parked !== undefined,
    by,
    stream,
    revision,
    ...(parked === undefined ? {} : { parked: { ...parked, position: sortableText(parked.position) } }),
    ...(body === undefined ? {} : { body }),
    ...(view === undefined ? {} : { view }),
  };
}

function headerOf({ indexes }: CollectionDefinition, stored: Omit<StoredForm, 'body' | 'view'>) {
  const { _id: key, position, order, by, stream, revision, parked } = stored;
  return {
    key,
    stream,
    revision,
    position: BigInt(position),
    order: BigInt(order),
    indexes: Object.fromEntries(indexes.map((index) => [index, by[fieldName(index)] ?? null])),
    parked: parked === undefined ? undefined : toParking(parked),
  };
}

export function toState(definition: CollectionDefinition, stored: Omit<StoredForm, 'view'>): DocumentState {
  return { ...headerOf(definition, stored), body: stored.body };
}

export function toView(definition: CollectionDefinition, stored: Omit<StoredForm, 'body'>): DocumentView {
  return { ...headerOf(definition, stored), view: stored.view };
}

export function fromStoredForm(definition: CollectionDefinition, stored: StoredForm): StoredDocument {
  return { ...toState(definition, stored), view: stored.view };
}

export function toParking(parked: NonNullable<StoredForm['parked']>): Parking {
  return { ...parked, position: BigInt(parked.position) };
}
