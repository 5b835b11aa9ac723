import { rawRecordedAt } from '../codec.ts';
import type { Instant } from '../time.ts';
import {
  appendTo,
  type EventStore,
  type EventToAppend,
  type StoredEvent,
  WrongExpectedRevision,
} from '#stores/event-log/event-log.ts';
import { commandIdOf } from './command.ts';

/** How often an append is tried while other processes append to the same sequence. */
const MAX_ATTEMPTS = 200;
/** Far below the size limit of an append. */
const MAX_ENTRIES = 256;

export type NumberEvent = EventToAppend & { readonly metadata: { readonly recordedAt: Instant } };

/** The entry that a command appends to a sequence. Its number is one above its revision. */
interface SequenceEntry {
  readonly commandId: string;
  /** An earlier attempt of the command may have appended its entry. */
  readonly mayBeRepeated: boolean;
  /** Returns the one event, recorded no earlier than its predecessor in the sequence. */
  readonly build: (notBefore: Instant) => readonly NumberEvent[];
}

interface AppendedEntry {
  readonly revision: number;
  /** Undefined when an earlier attempt had appended the entry. */
  readonly position: bigint | undefined;
}

interface Waiting extends SequenceEntry {
  readonly appended: Promise<AppendedEntry>;
  readonly resolve: (entry: AppendedEntry) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Appends entries to sequences. The commands of this process that wait for the same sequence share one append, so they
 * do not conflict with each other; a conflict with another process is tried again.
 */
export class SequenceQueue {
  readonly #pending = new Map<string, Waiting[]>();

  /** Appends the entry of a command; a command that waits already gets the same entry. @throws {StoreUnavailable} */
  async append(
    eventStore: Pick<EventStore, 'append' | 'readLast' | 'readStream'>,
    stream: string,
    entry: SequenceEntry,
  ): Promise<AppendedEntry> {
    const pending = this.#pending.get(stream);
    const same = pending?.find(({ commandId }) => commandId === entry.commandId);
    if (same !== undefined) return await same.appended;
    const { promise: appended, resolve, reject } = Promise.withResolvers<AppendedEntry>();
    const waiting = { ...entry, appended, resolve, reject };
    if (pending !== undefined) pending.push(waiting);
    else {
      this.#pending.set(stream, [waiting]);
      void this.#appendPending(eventStore, stream);
    }
    return await appended;
  }

  async #appendPending(eventStore: Parameters<SequenceQueue['append']>[0], stream: string): Promise<void> {
    const pending = this.#pending.get(stream) ?? [];
    while (pending.length > 0) {
      const group = pending.slice(0, MAX_ENTRIES);
      try {
        await appendGroup(eventStore, stream, group);
      } catch (error) {
        // Entries that were settled before ignore it.
        for (const { reject } of group) reject(error);
      }
      pending.splice(0, group.length);
    }
    this.#pending.delete(stream);
  }
}

async function appendGroup(
  eventStore: Parameters<SequenceQueue['append']>[0],
  stream: string,
  group: readonly Waiting[],
): Promise<void> {
  // An earlier entry is looked for in the same read after which is appended, so that one that is written late is a
  // conflict.
  const known = group.some(({ mayBeRepeated }) => mayBeRepeated) ? await eventStore.readStream(stream) : undefined;
  let rest = group.filter((waiting) => !settleFrom(known ?? [], waiting));
  let last = known === undefined ? await eventStore.readLast(stream) : known.at(-1);
  for (let attempts = 1; rest.length > 0; attempts++) {
    const events = eventsOf(rest, last);
    try {
      const { revision, position } = await appendTo(eventStore, stream, last?.revision ?? 'no_stream', events);
      const first = revision - rest.length + 1;
      for (const [index, { resolve }] of rest.entries()) resolve({ revision: first + index, position });
      return;
    } catch (error) {
      // The decisions do not depend on the numbers, so only the append is tried again.
      if (!(error instanceof WrongExpectedRevision) || attempts === MAX_ATTEMPTS) throw error;
    }
    const entries = await eventStore.readStream(stream, { from: (last?.revision ?? -1) + 1 });
    last = entries.at(-1) ?? last;
    rest = rest.filter((waiting) => !settleFrom(entries, waiting));
  }
}

/** Only the revision of an entry counts, so an entry that cannot be parsed takes a number like any other. */
function eventsOf(group: readonly SequenceEntry[], last: StoredEvent | undefined): readonly NumberEvent[] {
  let notBefore = (last && rawRecordedAt(last)) ?? '';
  return group.flatMap(({ build }) => {
    const events = build(notBefore);
    notBefore = events[0]?.metadata.recordedAt ?? notBefore;
    return events;
  });
}

function settleFrom(entries: readonly StoredEvent[], { commandId, resolve }: Waiting): boolean {
  const own = entries.find((entry) => commandIdOf(entry) === commandId);
  if (own !== undefined) resolve({ revision: own.revision, position: own.position });
  return own !== undefined;
}
