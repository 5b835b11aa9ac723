import { emptyDocument, type FoldOptions, type WorkingDocument } from '../../projections/working-document.ts';
import { decode } from '../domain/events.ts';
import type { RawEvent } from '../event-sourcing/codec.ts';
import type { Recorded } from '../event-sourcing/event.ts';
import type { EventStore, Position } from '../event-store/event-store.ts';
import type { DocumentToWrite, ReplacedState, StoredDocument } from '../read-models/read-models.ts';
import type { Collection } from './collection.ts';
import { originOf } from './describe-error.ts';
import type { ProjectorLog } from './log.ts';
import { refold } from './refold.ts';
import { fromStored, toStored } from './stored-form.ts';

export interface BatchPorts {
  readonly eventStore: EventStore;
  readonly log: ProjectorLog;
}

/** A document in a batch, and how it stood before. */
export interface Slot {
  working: WorkingDocument;
  /** What is stored; null: nothing is. */
  readonly replaces: ReplacedState | null;
  changed: boolean;
}

function slotOf(working: WorkingDocument, stored: StoredDocument | undefined): Slot {
  const replaces = stored === undefined ? null : { position: stored.position, isParked: stored.parked !== undefined };
  return { working, replaces, changed: false };
}

/** The documents of one collection that a run of events concerns. */
export class Batch {
  readonly folding: FoldOptions;
  readonly #collection: Collection;
  readonly #ports: BatchPorts;
  readonly #slots = new Map<string, Slot>();
  readonly #wanted = new Set<string>();

  constructor(collection: Collection, decode: FoldOptions['decode'], ports: BatchPorts) {
    this.#collection = collection;
    this.#ports = ports;
    const onFailure: FoldOptions['onFailure'] = (error, event, key) => this.#tell(error, event, key);
    this.folding = { projection: collection.projection, decode, checksStorable: false, onFailure };
  }

  get size(): number {
    return this.#slots.size;
  }

  /** The document of this key is to be loaded. */
  want(key: string): void {
    if (!this.#slots.has(key)) this.#wanted.add(key);
  }

  /** Reads the documents that were wanted since. @throws {StoreUnavailable} */
  async load(): Promise<void> {
    if (this.#wanted.size === 0) return;
    const keys = [...this.#wanted];
    for (const stored of await this.#collection.getMany(keys)) {
      this.#slots.set(stored.key, slotOf(await this.#restore(stored), stored));
    }
    for (const key of keys) if (!this.#slots.has(key)) this.#slots.set(key, slotOf(emptyDocument(key), undefined));
    this.#wanted.clear();
  }

  /** A document that was wanted and loaded. */
  slot(key: string): Slot | undefined {
    return this.#slots.get(key);
  }

  /** Folds a document from its streams, as they were at `upTo`. @throws {StoreUnavailable} */
  async refold(key: string, streams: readonly string[], upTo: Position): Promise<WorkingDocument> {
    const { projection, onFailure } = this.folding;
    return await refold(this.#ports.eventStore, { projection, onFailure, key, streams, upTo });
  }

  /** Writes what changed; everything up to `end` is then reflected. @throws as `ReadModels.write` does */
  async write(end: Position): Promise<void> {
    const documents: DocumentToWrite[] = [];
    let newlyParked = 0;
    for (const slot of this.#slots.values()) {
      if (!slot.changed) continue;
      documents.push(await this.#store(slot));
      newlyParked += Number(slot.working.parked !== undefined) - Number(slot.replaces?.isParked ?? false);
    }
    await this.#collection.write(documents, end, newlyParked);
  }

  /** A body that is no longer JSON is no reason to stand still: the log has everything. */
  async #restore(stored: StoredDocument): Promise<WorkingDocument> {
    try {
      return fromStored(stored);
    } catch {
      this.#ports.log.error(
        { collection: this.#collection.name, key: stored.key },
        'A damaged document is folded again',
      );
      return await this.refold(stored.key, Object.keys(stored.streams), stored.position);
    }
  }

  /** A document that cannot be written is folded again with care, which parks it at the event that is to blame. */
  async #store(slot: Slot): Promise<DocumentToWrite> {
    const { projection } = this.folding;
    try {
      return toStored(projection, slot.working, slot.replaces);
    } catch {
      const { key, streams, position } = slot.working;
      slot.working = await this.refold(key, Object.keys(streams), position);
      return toStored(projection, slot.working, slot.replaces);
    }
  }

  #tell(error: unknown, { id, type, position }: RawEvent, key: string): void {
    this.#ports.log.error(
      { collection: this.#collection.name, key, eventId: id, type, position: position.toString(), at: originOf(error) },
      'A document is parked at an event that it cannot take in',
    );
  }
}

/** Decodes an event once for all the collections that it goes to one after the other. */
export function rememberingLast(): FoldOptions['decode'] {
  let last: { readonly event: RawEvent; readonly decoded: Recorded } | undefined;
  return (event) => {
    if (last?.event !== event) last = { event, decoded: decode(event) };
    return last.decoded;
  };
}
