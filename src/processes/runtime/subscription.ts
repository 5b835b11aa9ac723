import type { EventStore, Position, StoredEvent } from '#stores/event-log/event-log.ts';
import { type EventReference, requireLogIdentity } from '#stores/event-log/log-identity.ts';
import { AlteredEvent, type Checkpoint, RESTORE_HINT } from './checkpoint.ts';
import type { ProcessParts, RunningProcess } from './process.ts';
import { runPeriodically } from './run-periodically.ts';

const BATCH = 500;
/** While nothing is sent, the checkpoint is saved once per this many events: the most that a restart reads twice. */
const SAVE_EVERY = 2_000;
const RESUBSCRIBE_DELAY_MS = 1_000;

export interface BatchResult {
  readonly last: StoredEvent | undefined;
  readonly sent: number;
  /** The error that ended the batch before its last event. */
  readonly failure?: Error | undefined;
}

export interface SubscriptionOptions extends Pick<ProcessParts, 'log' | 'pause' | 'stalls'> {
  readonly name: string;
  readonly eventStore: Pick<EventStore, 'subscribe' | 'lastPosition' | 'readAt'>;
  readonly checkpoint: Pick<Checkpoint, 'name' | 'takeOver' | 'save'>;
  readonly now: () => string;
  /** Sends the messages that the events require, in order. When it throws, the whole batch is handled again. */
  readonly handle: (events: readonly StoredEvent[]) => Promise<BatchResult>;
  /** Called with the last processed position and the number of messages sent; `undefined` after shutdown. */
  readonly onProgress?: (position: Position | undefined, sent: number) => void;
}

/**
 * Subscribes to the log after the checkpoint and handles every event at least once, in order; subscribes again after an
 * error. The checkpoint is saved after the messages were sent, so a kill repeats messages but skips none. Refuses to
 * continue on another log than the one that the checkpoint was saved for, and stalls before an event that was altered
 * in the store.
 */
export function runSubscription(options: SubscriptionOptions): RunningProcess {
  const { eventStore, checkpoint, onProgress = () => {} } = options;
  /** The last handled event; undefined until the checkpoint was taken over. */
  let handled: { readonly last: EventReference | undefined } | undefined;
  let unsaved = 0;

  const save = async (point: EventReference): Promise<void> => {
    await checkpoint.save(point);
    unsaved = 0;
  };
  const handle = async (events: readonly StoredEvent[]): Promise<void> => {
    const { last, sent, failure } = await options.handle(events);
    if (last !== undefined) {
      handled = { last };
      onProgress(last.position, sent);
      unsaved += events.length;
      if (sent > 0 || unsaved >= SAVE_EVERY) await save(last);
    }
    if (failure !== undefined) throw failure;
  };
  const handleUnaltered = async (events: readonly StoredEvent[]): Promise<void> => {
    const altered = events.find(({ isAltered }) => isAltered === true);
    const unaltered = altered === undefined ? events : events.slice(0, events.indexOf(altered));
    if (unaltered.length > 0) await handle(unaltered);
    if (altered !== undefined) throw new AlteredEvent(altered);
  };
  const running = runPeriodically({
    ...options,
    nextDelayMs: () => RESUBSCRIBE_DELAY_MS,
    run: async (signal, reportHealthy) => {
      handled ??= { last: await checkpoint.takeOver() };
      await requireLogIdentity(checkpoint.name, handled.last, eventStore, RESTORE_HINT);
      for await (const message of eventStore.subscribe({ after: handled.last?.position, batch: BATCH, signal })) {
        if (message.kind === 'events') await handleUnaltered(message.events);
        else onProgress(handled.last?.position ?? message.position, 0);
        reportHealthy();
      }
    },
  });
  return {
    ...running,
    stop: async () => {
      await running.stop();
      onProgress(undefined, 0);
      // Best effort: the records may be unavailable or another process may lead. A restart then reads some events
      // twice.
      if (handled?.last !== undefined && unsaved > 0) await save(handled.last).catch(() => undefined);
    },
  };
}
