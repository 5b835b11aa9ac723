import type { Row } from '../../sqlite/database.ts';
import type { Position, StoredEvent } from '../event-store.ts';

export const eventColumns = 'position, stream, revision, id, type, data, metadata';

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
  }

  get data(): unknown {
    if (this.#data === UNPARSED) this.#data = parse(this.#dataText);
    return this.#data;
  }

  get metadata(): unknown {
    if (this.#metadata === UNPARSED) this.#metadata = parse(this.#metadataText);
    return this.#metadata;
  }

  toJSON(): object {
    const { id, stream, revision, type, data, metadata } = this;
    return { id, stream, revision, position: this.position.toString(), type, data, metadata };
  }
}

/** Converts a row of `eventColumns` to an event. */
export function fromRow(row: Row): StoredEvent {
  return new LazyEvent(row);
}

/** Returns text that is not JSON as it is: the reader then parks the document, and the log stays readable. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
