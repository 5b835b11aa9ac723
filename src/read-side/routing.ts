import { addressOf } from '#projections/projection.ts';
import { ParkedRetryRequested, parkedStream } from '#event-sourcing/system-events.ts';
import { categoryOf } from '#event-sourcing/aggregate.ts';
import type { StoredEvent } from '#stores/event-log/event-log.ts';
import type { Collection } from './collection.ts';
import type { ProjectorLog } from './projector.ts';

export interface Delivery {
  readonly event: StoredEvent;
  readonly collection: Collection;
  readonly key: string;
  readonly isRetry: boolean;
}

const RETRY_CATEGORY = categoryOf(parkedStream('', ''));

export class Router {
  readonly #byCategory = new Map<string, Collection[]>();
  readonly #byName: ReadonlyMap<string, Collection>;
  readonly #log: ProjectorLog;
  #unroutable = 0;

  constructor(collections: readonly Collection[], log: ProjectorLog) {
    this.#log = log;
    this.#byName = new Map(collections.map((collection) => [collection.name, collection]));
    for (const collection of collections) {
      for (const category of collection.projection.categories) {
        const others = this.#byCategory.get(category) ?? [];
        this.#byCategory.set(category, [...others, collection]);
      }
    }
  }

  get unroutable(): number {
    return this.#unroutable;
  }

  /** Returns the deliveries of the events, in order; omits collections that reflect an event already. */
  route(events: readonly StoredEvent[]): readonly Delivery[] {
    const deliveries: Delivery[] = [];
    for (const event of events) {
      const category = categoryOf(event.stream);
      const subscribed = this.#byCategory.get(category);
      if (subscribed !== undefined) this.#deliver(event, subscribed, deliveries);
      if (category === RETRY_CATEGORY) this.#deliverRetry(event, deliveries);
    }
    return deliveries;
  }

  #deliver(event: StoredEvent, subscribed: readonly Collection[], deliveries: Delivery[]): void {
    const address = addressOf(event);
    for (const collection of subscribed) {
      if (!collection.awaits(event.position)) continue;
      const key = collection.projection.key(address);
      if (key === undefined || key === '') this.#refuse(event, collection.name);
      else deliveries.push({ event, collection, key, isRetry: false });
    }
  }

  #deliverRetry(event: StoredEvent, deliveries: Delivery[]): void {
    const parsed = ParkedRetryRequested.schema.safeParse(event.data);
    const collection = parsed.success ? this.#byName.get(parsed.data.collection) : undefined;
    if (!parsed.success || collection === undefined) {
      this.#refuse(event, 'parked');
      return;
    }
    if (!collection.awaits(event.position)) return;
    deliveries.push({ event, collection, key: parsed.data.key, isRetry: true });
  }

  #refuse(event: StoredEvent, collection: string): void {
    this.#unroutable += 1;
    const { id, stream, revision, type, position } = event;
    this.#log.error(
      { collection, event_id: id, event_type: type, stream, revision, position: position.toString() },
      'Skipped an event that names no document',
    );
  }
}
