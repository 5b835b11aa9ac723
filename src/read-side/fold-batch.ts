import type { AnyFold } from '#projections/projection.ts';
import { applyEvent, emptyDocument, type FoldOptions, type WorkingDocument } from '#projections/working-document.ts';
import { decode } from '#domain/events.ts';
import type { Position } from '#stores/event-log/event-log.ts';
import type { DocumentToWrite, ReplacedState, StoredDocument } from '#stores/read-models/read-models.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import {
  type BatchPorts,
  type CollectionBatch,
  type CollectionChanges,
  logParked,
  stateOf,
} from './collection-batch.ts';
import type { Delivery } from './routing.ts';
import { fromStored, refold, toStored } from './stored-documents.ts';

interface BatchDocument {
  working: WorkingDocument;
  /** The stored state that a write replaces; null: the document is not stored. */
  readonly replaces: ReplacedState | null;
  isChanged: boolean;
}

/** The documents of one collection into which the events of a batch are folded. */
export class FoldBatch implements CollectionBatch {
  readonly #options: FoldOptions;
  readonly #ports: BatchPorts;
  readonly #documents = new Map<string, BatchDocument>();
  readonly #requested = new Set<string>();

  constructor(projection: AnyFold, ports: BatchPorts) {
    this.#ports = ports;
    const onFailure: FoldOptions['onFailure'] = (error, event, key) =>
      logParked(ports.log, projection.name, error, event, key);
    this.#options = { projection, decode, checksStorable: false, onFailure };
  }

  get #collection(): string {
    return this.#options.projection.name;
  }

  get size(): number {
    return this.#documents.size;
  }

  request(key: string): void {
    if (!this.#documents.has(key)) this.#requested.add(key);
  }

  async load(): Promise<void> {
    if (this.#requested.size === 0) return;
    const keys = [...this.#requested];
    for (const stored of await this.#ports.documents.getMany(this.#collection, keys)) {
      const working = await this.#restore(stored);
      this.#documents.set(stored.key, { working, replaces: stateOf(stored), isChanged: false });
    }
    for (const key of keys)
      if (!this.#documents.has(key))
        this.#documents.set(key, { working: emptyDocument(key), replaces: null, isChanged: false });
    this.#requested.clear();
  }

  /** Folds the event into its document, which was loaded. */
  apply(delivery: Delivery): Promise<void> | undefined {
    const document = this.#documents.get(delivery.key);
    return document !== undefined && this.#needsRefold(delivery, document)
      ? this.#refoldDocument(delivery, document)
      : undefined;
  }

  async changes(): Promise<CollectionChanges> {
    const documents: DocumentToWrite[] = [];
    let parkedDelta = 0;
    for (const document of this.#documents.values()) {
      if (!document.isChanged) continue;
      documents.push(await this.#store(document));
      parkedDelta += Number(document.working.parked !== undefined) - Number(document.replaces?.isParked ?? false);
    }
    return { collection: this.#collection, documents, parkedDelta };
  }

  #needsRefold({ event, isRetry }: Delivery, document: BatchDocument): boolean {
    // A document beyond the retry request was already refolded for it.
    if (isRetry) return document.working.parked !== undefined && document.working.position < event.position;
    const outcome = applyEvent(this.#options, document.working, event);
    if (outcome === 'applied') document.isChanged = true;
    return outcome === 'gap';
  }

  async #refoldDocument({ event, key, isRetry }: Delivery, document: BatchDocument): Promise<void> {
    const { working } = document;
    const stream = isRetry ? working.stream : event.stream;
    const upTo = event.position > working.position ? event.position : working.position;
    document.working = await this.#refold(key, stream, upTo);
    document.isChanged = true;
    if (!isRetry && document.working.position < event.position) {
      throw new StoreUnavailable('A stream lacks an event that the subscription has delivered from it');
    }
    const details = { collection: this.#collection, key, parked: document.working.parked !== undefined };
    const message = isRetry
      ? 'Refolded a parked document from its stream'
      : 'Refolded a document with a gap from its stream';
    this.#ports.log.warn(details, message);
  }

  async #refold(key: string, stream: string, upTo: Position): Promise<WorkingDocument> {
    const { projection, onFailure } = this.#options;
    return await refold(this.#ports.eventStore, { projection, onFailure, key, stream, upTo });
  }

  async #restore(stored: StoredDocument): Promise<WorkingDocument> {
    try {
      return fromStored(stored);
    } catch {
      this.#ports.log.error(
        { collection: this.#collection, key: stored.key },
        'The stored body of a document is damaged; refolding the document from its stream',
      );
      return await this.#refold(stored.key, stored.stream, stored.position);
    }
  }

  /**
   * Refolds a document that cannot be written; the refold checks every step, and so parks it at the event that causes
   * the error.
   */
  async #store(document: BatchDocument): Promise<DocumentToWrite> {
    const { projection } = this.#options;
    try {
      return toStored(projection, document.working, document.replaces);
    } catch {
      const { key, stream, position } = document.working;
      document.working = await this.#refold(key, stream, position);
      return toStored(projection, document.working, document.replaces);
    }
  }
}
