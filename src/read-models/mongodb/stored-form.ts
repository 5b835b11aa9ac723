import type { Position } from '../../event-store/event-store.ts';
import type { CollectionDefinition, IndexValue, Parking, StoredDocument } from '../read-models.ts';

/** Digits of a position: enough for 64 bits, so that the order of the texts is that of the positions. */
const DIGITS = 20;

/** A document of a read model as MongoDB keeps it. */
export interface Kept {
  /** The key. */
  readonly _id: string;
  readonly position: string;
  readonly createdAt: string;
  /** Whether lists show it: it has a body. */
  readonly listed: boolean;
  readonly isParked: boolean;
  /** The values it is found by, under their names as `fieldOf` writes them. */
  readonly by: Readonly<Record<string, IndexValue>>;
  /** JSON text, since a stream may have any name. */
  readonly streams: string;
  readonly parked?: Omit<Parking, 'position'> & { readonly position: string };
  /** The text itself, so that it comes back byte for byte. */
  readonly body?: string;
}

/** A bigint would be stored as a number of 64 bits, and one beyond them silently as 0. */
export function positionText(position: Position): string {
  return position.toString().padStart(DIGITS, '0');
}

/** The path of an index in a document; dots and dollars have a meaning of their own there. */
export function fieldOf(index: string): string {
  return `by.${fieldName(index)}`;
}

function fieldName(index: string): string {
  return encodeURIComponent(index).replaceAll('.', '%2E');
}

/** @throws when the document has no key, or an index that its collection does not declare: it could never be found by it. */
export function toKept(definition: CollectionDefinition, document: StoredDocument): Kept {
  const { key, body, position, createdAt, indexes, streams, parked } = document;
  if (key === '') throw new Error(`A document of ${definition.name} has no key`);
  for (const index in indexes) declared(definition, index);
  const by = Object.fromEntries(definition.indexes.map((index) => [fieldName(index), indexes[index] ?? null]));
  return {
    _id: key,
    position: positionText(position),
    createdAt,
    listed: body !== undefined,
    isParked: parked !== undefined,
    by,
    streams: JSON.stringify(streams),
    ...(parked === undefined ? {} : { parked: { ...parked, position: positionText(parked.position) } }),
    ...(body === undefined ? {} : { body }),
  };
}

export function fromKept({ indexes }: CollectionDefinition, kept: Kept): StoredDocument {
  const { _id: key, body, position, createdAt, by, streams, parked } = kept;
  return {
    key,
    body,
    streams: JSON.parse(streams) as StoredDocument['streams'],
    position: BigInt(position),
    createdAt,
    indexes: Object.fromEntries(indexes.map((index) => [index, by[fieldName(index)] ?? null])),
    parked: parked === undefined ? undefined : { ...parked, position: BigInt(parked.position) },
  };
}

/** @throws when the collection does not declare the index. */
export function declared(definition: CollectionDefinition, index: string): string {
  if (definition.indexes.includes(index)) return index;
  throw new Error(`The collection ${definition.name} declares no index ${index}`);
}
