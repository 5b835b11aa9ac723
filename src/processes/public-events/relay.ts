import { UnreadableEvent } from '../../domain/codec.ts';
import type { EventStore, Position, StoredEvent } from '../../event-store/event-store.ts';
import type { PublicEvents, PublicMessage } from '../../messaging/public-events.ts';
import type { Records } from '../../records/records.ts';
import { Checkpoint } from '../checkpoint.ts';
import type { ProcessParts, RunningProcess } from '../process.ts';
import { startRounds } from '../rounds.ts';
import type { PublicEventFigures } from './figures.ts';
import { messageOf } from './translate.ts';

/** Names the checkpoint, so it never changes. */
const PROCESS = 'public-events';

/** Read, and sent, at once. */
const BATCH = 500;
/** Without a public event among them the checkpoint is stored once in so many events: the most that is read twice. */
const SAVE_EVERY = 2_000;

/** The checkpoint of the relay of public events; `under` a fence where several take turns. */
export function publicEventsCheckpoint(records: Pick<Records, 'getValue' | 'setValue' | 'fenceValue'>): Checkpoint {
  return new Checkpoint(PROCESS, records);
}

export interface PublicEventRelayParts extends Pick<ProcessParts, 'log' | 'pause'> {
  readonly eventStore: Pick<EventStore, 'subscribe'>;
  readonly checkpoint: Pick<Checkpoint, 'read' | 'save'>;
  readonly publicEvents: Pick<PublicEvents, 'publish'>;
  readonly figures: PublicEventFigures;
  readonly now: () => string;
}

/**
 * Follows the log and publishes what outsiders need to know. A batch is sent when the one before was acknowledged, and the
 * checkpoint is stored behind it, so whoever is killed when: every public event is in its topic at least once, and the first
 * occurrences of a key are in the order of the log, without a gap (docs/decisions).
 */
export function startPublicEventRelay(parts: PublicEventRelayParts): RunningProcess {
  const { eventStore, checkpoint, publicEvents, figures, log, pause, now } = parts;
  /** Up to here everything was acknowledged, since the start. */
  let done: { readonly position: Position | undefined } | undefined;
  let unsaved = 0;

  /** @throws {UnreadableEvent} when everything before the event that cannot be read was told */
  const take = async (events: readonly StoredEvent[]): Promise<void> => {
    const messages: PublicMessage[] = [];
    let told: StoredEvent | undefined;
    let unreadable: Error | undefined;
    for (const event of events) {
      try {
        messages.push(...messagesOf(event));
        told = event;
      } catch (error) {
        unreadable = error as Error;
        break;
      }
    }
    if (messages.length > 0) await publicEvents.publish(messages);
    if (told !== undefined) {
      done = { position: told.position };
      figures.told(told.position, messages.length);
      unsaved += events.length;
      if (messages.length > 0 || unsaved >= SAVE_EVERY) await save(told.position);
    }
    if (unreadable !== undefined) throw unreadable;
  };
  const save = async (position: Position): Promise<void> => {
    await checkpoint.save(position);
    unsaved = 0;
  };
  const messagesOf = (event: StoredEvent): readonly PublicMessage[] => {
    try {
      const message = messageOf(event);
      return message === undefined ? [] : [message];
    } catch (error) {
      // Going on would leave a gap that nobody sees. A program that knows the event goes on here.
      if (error instanceof UnreadableEvent) {
        log.error(
          { event_id: event.id, event_type: event.type },
          'An event cannot be read, so it is not known what to tell of it',
        );
      }
      throw error;
    }
  };
  const running = startRounds({
    name: 'public_events',
    log,
    pause,
    now,
    untilNext: () => 0,
    round: async (signal, works) => {
      done ??= { position: await checkpoint.read() };
      for await (const message of eventStore.subscribe({ after: done.position, batch: BATCH, signal })) {
        if (message.kind === 'events') await take(message.events);
        else figures.told(done.position ?? message.position, 0);
        works();
      }
    },
  });
  return {
    ...running,
    stop: async () => {
      await running.stop();
      figures.told(undefined, 0);
      // Only spares reading again: the records may be away, and another process may lead by now.
      if (done?.position !== undefined && unsaved > 0) await save(done.position).catch(() => undefined);
    },
  };
}
