import { crc32 } from 'node:zlib';
import type { Row } from '../../sqlite/database.ts';
import type { Position, StoredEvent } from '../event-log.ts';

/** Columns of an event, in the order of its row. */
export const eventColumns = 'position, stream, revision, id, type, data, metadata, checksum';

type UncheckedRow = readonly [
  position: number,
  stream: string,
  revision: number,
  id: string,
  type: string,
  data: string,
  metadata: string,
];

const UNPARSED = Symbol('unparsed');

/**
 * Event that parses its JSON on first access, because many readers skip events by their type.
 * `data` and `metadata` are getters: do not spread the event.
 */
class LazyEvent implements StoredEvent {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  readonly type: string;
  readonly #dataText: string;
  readonly #metadataText: string;
  readonly #checksum: Row[number] | undefined;
  #isAltered: boolean | undefined;
  #data: unknown = UNPARSED;
  #metadata: unknown = UNPARSED;

  constructor(row: Row) {
    this.position = BigInt(row[0] as number);
    this.stream = row[1] as string;
    this.revision = row[2] as number;
    this.id = row[3] as string;
    this.type = row[4] as string;
    this.#dataText = row[5] as string;
    this.#metadataText = row[6] as string;
    this.#checksum = row[7];
  }

  get isAltered(): boolean {
    this.#isAltered ??= this.#checksum !== this.#actualChecksum();
    return this.#isAltered;
  }

  get data(): unknown {
    if (this.#data === UNPARSED) this.#data = parse(this.#dataText);
    return this.#data;
  }

  get metadata(): unknown {
    if (this.#metadata === UNPARSED) this.#metadata = parse(this.#metadataText);
    return this.#metadata;
  }

  #actualChecksum(): number {
    const { position, stream, revision, id, type } = this;
    return checksumOf([Number(position), stream, revision, id, type, this.#dataText, this.#metadataText]);
  }

  toJSON(): object {
    const { id, stream, revision, type, data, metadata } = this;
    return { id, stream, revision, position: this.position.toString(), type, data, metadata };
  }
}

/**
 * Returns the CRC-32 of an event with its place in the log. SQLite has no checksums of its own, so that a bit that
 * flips on the disk, or a row that is put in another's place, would be read as if it had been appended.
 */
export function checksumOf([position, stream, revision, id, type, data, metadata]: UncheckedRow): number {
  return crc32(`${position} ${stream} ${revision} ${id} ${type} ${data} ${metadata}`);
}

export function fromRow(row: Row): StoredEvent {
  return new LazyEvent(row);
}

/** Returns the length of the JSON of the data. */
export function charactersOf(row: Row): number {
  return (row[5] as string).length;
}

/** Returns text that is not JSON as it is: the reader then parks the document, and the log stays readable. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
