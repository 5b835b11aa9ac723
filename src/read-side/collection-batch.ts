import { emptyDocument, type FoldOptions, type WorkingDocument } from '#projections/working-document.ts';
import { decode } from '#domain/events.ts';
import type { RawEvent } from '#event-sourcing/codec.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import type { Position } from '#stores/event-log/event-log.ts';
import type { DocumentToWrite, Generation, ReplacedState, StoredDocument } from '#stores/read-models/read-models.ts';
import type { AnyProjection } from '#projections/projection.ts';
import { firstFramesOf } from '#service/observability/describe-error.ts';
import { storedParts, fromStored, toStored, refold, type StreamReader } from './parts.ts';
import type { ProjectorLog } from './projector.ts';

export interface BatchPorts {
  readonly documents: Pick<Generation, 'getMany'>;
  readonly eventStore: StreamReader;
  readonly log: ProjectorLog;
}

export interface BatchDocument {
  working: WorkingDocument;
  /** The stored state that a write replaces; null: the document is not stored. */
  readonly replaces: ReplacedState | null;
  isChanged: boolean;
}

function toBatchDocument(working: WorkingDocument, stored: StoredDocument | undefined): BatchDocument {
  const replaces = stored === undefined ? null : { position: stored.position, isParked: stored.parked !== undefined };
  return { working, replaces, isChanged: false };
}

interface StoredWithParts {
  readonly document: DocumentToWrite;
  readonly parts: readonly StoredDocument[];
}

/** What a batch changes in one collection. */
export interface CollectionChanges {
  readonly collection: string;
  /** Parts of `documents`. They are written first: an event that its whole reflects is not applied again. */
  readonly parts: readonly DocumentToWrite[];
  readonly documents: readonly DocumentToWrite[];
  readonly parkedDelta: number;
}

export class CollectionBatch {
  readonly foldOptions: FoldOptions;
  readonly #ports: BatchPorts;
  readonly #documents = new Map<string, BatchDocument>();
  readonly #requested = new Set<string>();

  constructor(projection: AnyProjection, decodeEvent: FoldOptions['decode'], ports: BatchPorts) {
    this.#ports = ports;
    const onFailure: FoldOptions['onFailure'] = (error, event, key) => this.#logParked(error, event, key);
    this.foldOptions = { projection, decode: decodeEvent, checksStorable: false, onFailure };
  }

  get #collection(): string {
    return this.foldOptions.projection.name;
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
    for (const stored of await this.#getMany(keys)) {
      this.#documents.set(stored.key, toBatchDocument(await this.#restore(stored), stored));
    }
    for (const key of keys)
      if (!this.#documents.has(key)) this.#documents.set(key, toBatchDocument(emptyDocument(key), undefined));
    this.#requested.clear();
  }

  document(key: string): BatchDocument | undefined {
    return this.#documents.get(key);
  }

  async refold(key: string, stream: string, upTo: Position): Promise<WorkingDocument> {
    const { projection, onFailure } = this.foldOptions;
    return await refold(this.#ports.eventStore, { projection, onFailure, key, stream, upTo });
  }

  async changes(): Promise<CollectionChanges> {
    const documents: DocumentToWrite[] = [];
    const parts: StoredDocument[] = [];
    let parkedDelta = 0;
    for (const document of this.#documents.values()) {
      if (!document.isChanged) continue;
      const stored = await this.#store(document);
      documents.push(stored.document);
      parts.push(...stored.parts);
      parkedDelta += Number(document.working.parked !== undefined) - Number(document.replaces?.isParked ?? false);
    }
    return { collection: this.#collection, documents, parts: await this.#withoutStored(parts), parkedDelta };
  }

  async #getMany(keys: readonly string[]): Promise<readonly StoredDocument[]> {
    return await this.#ports.documents.getMany(this.#collection, keys);
  }

  /**
   * Parts may be stored although their document does not reflect the event yet, which may now be in another batch than
   * before.
   */
  async #withoutStored(parts: readonly StoredDocument[]): Promise<readonly DocumentToWrite[]> {
    if (parts.length === 0) return [];
    const stored = new Set((await this.#getMany(parts.map(({ key }) => key))).map(({ key }) => key));
    return parts.filter(({ key }) => !stored.has(key)).map((part) => ({ ...part, replaces: null }));
  }

  async #restore(stored: StoredDocument): Promise<WorkingDocument> {
    try {
      return fromStored(stored);
    } catch {
      this.#ports.log.error(
        { collection: this.#collection, key: stored.key },
        'The stored body of a document is damaged; refolding the document from its stream',
      );
      return await this.refold(stored.key, stored.stream, stored.position);
    }
  }

  /**
   * Refolds a document that cannot be written; the refold checks every step, and so parks it at the event that causes
   * the error.
   */
  async #store(document: BatchDocument): Promise<StoredWithParts> {
    const { projection } = this.foldOptions;
    const stored = (): StoredWithParts => ({
      document: toStored(projection, document.working, document.replaces),
      parts: storedParts(projection, document.working),
    });
    try {
      return stored();
    } catch {
      const { key, stream, position } = document.working;
      document.working = await this.refold(key, stream, position);
      return stored();
    }
  }

  #logParked(error: unknown, { id, type, position }: RawEvent, key: string): void {
    this.#ports.log.error(
      {
        collection: this.#collection,
        key,
        event_id: id,
        event_type: type,
        position: position.toString(),
        at: firstFramesOf(error),
      },
      'Parked a document at an event that cannot be folded',
    );
  }
}

/** Returns a decoder that decodes an event once when several collections request it in succession. */
export function decodeOnce(): FoldOptions['decode'] {
  let last: { readonly event: RawEvent; readonly decoded: RecordedEvent } | undefined;
  return (event) => {
    if (last?.event !== event) last = { event, decoded: decode(event) };
    return last.decoded;
  };
}
