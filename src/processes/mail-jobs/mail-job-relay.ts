import type { StoredEvent } from '../../event-store/event-store.ts';
import type { Job, JobQueues } from '../../messaging/messaging.ts';
import { Checkpoint } from '../checkpoint.ts';
import { type FollowerOptions, startFollower, type Taken } from '../follower.ts';
import type { RunningProcess } from '../process.ts';
import { MAIL_QUEUE, mailJobOf } from './mail-job-of.ts';

/** Names the checkpoint, so it never changes. */
const PROCESS = 'mail-jobs';

/** The checkpoint of the relay of mail jobs. */
export function mailJobsCheckpoint(records: ConstructorParameters<typeof Checkpoint>[1]): Checkpoint {
  return new Checkpoint(PROCESS, records);
}

export interface MailJobRelayParts
  extends Pick<FollowerOptions, 'eventStore' | 'checkpoint' | 'log' | 'pause' | 'standstills' | 'now'> {
  readonly queues: Pick<JobQueues, 'publish'>;
}

/** Follows the log and publishes a job for every mail that it asks for; a kill publishes jobs again and never loses one. */
export function startMailJobRelay(parts: MailJobRelayParts): RunningProcess {
  const { eventStore, checkpoint, queues, log, pause, standstills, now } = parts;
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
  const take = async (events: readonly StoredEvent[]): Promise<Taken> => {
    const jobs = events.flatMap(jobsOf);
    await queues.publish(MAIL_QUEUE, jobs);
    return { last: events.at(-1), sent: jobs.length };
  };
  return startFollower({ name: 'relay', eventStore, checkpoint, log, pause, standstills, now, take });
}
