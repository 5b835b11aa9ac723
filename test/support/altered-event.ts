import type { StoredEvent } from '#stores/event-log/event-log.ts';
import type { MemoryEventStore } from './memory-event-store.ts';

/**
 * Alters the first event of a type as a disk can do it, so that the store finds that its checksum does not match.
 * @returns restores the event
 */
export function alterFirst(store: MemoryEventStore, type: string, changes: Partial<StoredEvent>): () => void {
  const readAll = store.readAll.bind(store);
  const readAt = store.readAt.bind(store);
  let first: string | undefined;
  const read = (event: StoredEvent): StoredEvent => {
    if (event.type === type) first ??= event.id;
    return event.id === first ? { ...event, ...changes, isAltered: true } : event;
  };
  // A subscription of the store reads by it too.
  store.readAll = async (options) => (await readAll(options)).map(read);
  store.readAt = async (position) => {
    const event = await readAt(position);
    return event && read(event);
  };
  return () => Object.assign(store, { readAll, readAt });
}
