import type { EventStore, Position, StoredEvent } from '../event-store/event-store.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { ProcessParts, RunningProcess } from './process.ts';
import { runPeriodically } from './run-periodically.ts';
import { requireLogIdentity } from './log-identity.ts';

/** Read at once. */
const BATCH = 500;
/** While nothing is sent the checkpoint is stored once in so many events: the most that is read twice. */
const SAVE_EVERY = 2_000;
const PAUSE_AFTER_END_MS = 1_000;

/** What came of a run of events. */
export interface Taken {
  /** The last event with which everything is done; undefined: not even with the first. */
  readonly last: StoredEvent | undefined;
  /** How much was sent. */
  readonly sent: number;
  /** Why it ended before the last event. */
  readonly failure?: Error | undefined;
}

export interface SubscriptionOptions extends Pick<ProcessParts, 'log' | 'pause' | 'stalls'> {
  /** As `/readyz` names it. */
  readonly name: string;
  readonly eventStore: Pick<EventStore, 'subscribe' | 'lastPosition' | 'readAt'>;
  readonly checkpoint: Pick<Checkpoint, 'name' | 'read' | 'save'>;
  readonly now: () => string;
  /** Sends what the events ask for, in their order; what it throws means that nothing is known to be sent. */
  readonly take: (events: readonly StoredEvent[]) => Promise<Taken>;
  /** Hears that everything up to the position is done, with so much sent for it; undefined: nothing is known any more. */
  readonly onDone?: (position: Position | undefined, sent: number) => void;
}

/**
 * Follows the log and sends what it asks for. The checkpoint is stored behind what was sent, so whoever is killed when: everything
 * is sent at least once, in the order of the log, and nothing is passed over, also when the log is another one than before.
 */
export function runSubscription(options: SubscriptionOptions): RunningProcess {
  const { name, eventStore, checkpoint, log, pause, stalls, now, onDone = () => {} } = options;
  /** Up to here everything is done, since the start. */
  let done: { readonly position: Position | undefined } | undefined;
  let unsaved = 0;

  const save = async (position: Position): Promise<void> => {
    await checkpoint.save(position);
    unsaved = 0;
  };
  const take = async (events: readonly StoredEvent[]): Promise<void> => {
    const { last, sent, failure } = await options.take(events);
    if (last !== undefined) {
      done = { position: last.position };
      onDone(last.position, sent);
      unsaved += events.length;
      if (sent > 0 || unsaved >= SAVE_EVERY) await save(last.position);
    }
    if (failure !== undefined) throw failure;
  };
  const running = runPeriodically({
    name,
    log,
    pause,
    stalls,
    now,
    // A subscription that ends by itself is begun again, but never in a loop without rest.
    untilNext: () => PAUSE_AFTER_END_MS,
    round: async (signal, works) => {
      done ??= { position: await checkpoint.read() };
      await requireLogIdentity(checkpoint.name, done.position, eventStore);
      for await (const message of eventStore.subscribe({ after: done.position, batch: BATCH, signal })) {
        if (message.kind === 'events') await take(message.events);
        else onDone(done.position ?? message.position, 0);
        works();
      }
    },
  });
  return {
    ...running,
    stop: async () => {
      await running.stop();
      onDone(undefined, 0);
      // Only spares reading again: the records may be away, and another process may lead by now.
      if (done?.position !== undefined && unsaved > 0) await save(done.position).catch(() => undefined);
    },
  };
}
