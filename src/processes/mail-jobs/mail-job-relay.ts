import type { EventStore, Position, StoredEvent } from '../../event-store/event-store.ts';
import type { Job, JobQueues } from '../../messaging/messaging.ts';
import type { ProcessParts, RunningProcess } from '../process.ts';
import { Checkpoint } from '../checkpoint.ts';
import { startRounds } from '../rounds.ts';
import { MAIL_QUEUE, mailJobOf } from './mail-job-of.ts';

/** Names the checkpoint, so it never changes. */
const PROCESS = 'mail-jobs';

/** Read at once. */
const BATCH = 500;
/** Without a mail among them the checkpoint is stored once in so many events: the most that is read twice. */
const SAVE_EVERY = 2_000;
const PAUSE_AFTER_END_MS = 1_000;

/** The checkpoint of the relay of mail jobs. */
export function mailJobsCheckpoint(records: ConstructorParameters<typeof Checkpoint>[1]): Checkpoint {
  return new Checkpoint(PROCESS, records);
}

export interface MailJobRelayParts extends Pick<ProcessParts, 'log' | 'pause'> {
  readonly eventStore: Pick<EventStore, 'subscribe'>;
  readonly checkpoint: Checkpoint;
  readonly queues: Pick<JobQueues, 'publish'>;
  readonly now: () => string;
}

/**
 * Follows the log and publishes a job for every mail that it asks for. The checkpoint is stored behind the jobs, so a kill in
 * between publishes them again and never loses one.
 */
export function startMailJobRelay(parts: MailJobRelayParts): RunningProcess {
  const { eventStore, checkpoint, queues, log, pause, now } = parts;
  /** Up to here everything was published, since the start. */
  let done: { readonly position: Position | undefined } | undefined;
  let unsaved = 0;

  const take = async (events: readonly StoredEvent[]): Promise<void> => {
    const last = events.at(-1);
    if (last === undefined) return;
    const jobs = events.flatMap(jobsOf);
    await queues.publish(MAIL_QUEUE, jobs);
    done = { position: last.position };
    unsaved += events.length;
    if (jobs.length > 0 || unsaved >= SAVE_EVERY) await save(last.position);
  };
  const save = async (position: Position): Promise<void> => {
    await checkpoint.save(position);
    unsaved = 0;
  };
  const jobsOf = (event: StoredEvent): readonly Job[] => {
    try {
      const job = mailJobOf(event);
      return job === undefined ? [] : [{ id: job.jobId, body: job }];
    } catch {
      // It can never be read better; whoever looks after the log finds it by this line.
      log.error({ event_id: event.id, event_type: event.type }, 'An event that asks for a mail cannot be read');
      return [];
    }
  };
  const running = startRounds({
    name: 'relay',
    log,
    pause,
    now,
    // A subscription that ends by itself is begun again, but never in a loop without rest.
    untilNext: () => PAUSE_AFTER_END_MS,
    round: async (signal, works) => {
      done ??= { position: await checkpoint.read() };
      for await (const message of eventStore.subscribe({ after: done.position, batch: BATCH, signal })) {
        if (message.kind === 'events') await take(message.events);
        works();
      }
    },
  });
  return {
    ...running,
    stop: async () => {
      await running.stop();
      if (done?.position !== undefined && unsaved > 0) await save(done.position);
    },
  };
}
