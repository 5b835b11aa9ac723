import type { AnyProjection } from '#projections/projection.ts';
import { ParkedRetryRequested, parkedStream } from '#event-sourcing/system-events.ts';
import { categoryOf, idOf } from '#event-sourcing/aggregate.ts';
import type { StoredEvent } from '#stores/event-log/event-log.ts';
import type { ProjectorLog } from './projector.ts';

export interface Delivery {
  readonly event: StoredEvent;
  readonly projection: AnyProjection;
  readonly key: string;
  readonly isRetry: boolean;
}

const RETRY_CATEGORY = categoryOf(parkedStream('', ''));

export class Router {
  readonly #byCategory = new Map<string, AnyProjection[]>();
  readonly #byName: ReadonlyMap<string, AnyProjection>;
  readonly #log: ProjectorLog;
  #unroutable = 0;

  constructor(projections: readonly AnyProjection[], log: ProjectorLog) {
    this.#log = log;
    this.#byName = new Map(projections.map((projection) => [projection.name, projection]));
    for (const projection of projections) {
      for (const category of projection.categories) {
        const others = this.#byCategory.get(category) ?? [];
        this.#byCategory.set(category, [...others, projection]);
      }
    }
  }

  get unroutable(): number {
    return this.#unroutable;
  }

  /** Returns the deliveries of the events, in order. */
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

  #deliver(event: StoredEvent, subscribed: readonly AnyProjection[], deliveries: Delivery[]): void {
    const key = idOf(event.stream);
    for (const projection of subscribed) {
      if (key === '') this.#refuse(event, projection.name);
      else deliveries.push({ event, projection, key, isRetry: false });
    }
  }

  #deliverRetry(event: StoredEvent, deliveries: Delivery[]): void {
    const parsed = ParkedRetryRequested.schema.safeParse(event.data);
    const projection = parsed.success ? this.#byName.get(parsed.data.collection) : undefined;
    if (!parsed.success || projection === undefined) this.#refuse(event, 'parked');
    else deliveries.push({ event, projection, key: parsed.data.key, isRetry: true });
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
