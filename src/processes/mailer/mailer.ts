import type { CommandPorts } from '../../../commands/execution/ports.ts';
import { mailJobSchema } from '../../domain/mail-job.ts';
import { type Moment, momentAfter } from '../../domain/dates.ts';
import { StoreUnavailable } from '../../event-store/event-store.ts';
import type { MailTransport } from '../../mail/mail.ts';
import type { Job, JobOutcome, JobQueues } from '../../messaging/messaging.ts';
import { describeError, originOf } from '../../projector/describe-error.ts';
import { MAIL_QUEUE } from '../mail-jobs/mail-job-of.ts';
import type { ProcessParts, RunningProcess } from '../process.ts';
import type { MailFigures } from './figures.ts';
import type { LetterWriter } from './letters.ts';
import { workOn } from './work-on.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Pauses after the first, second, … attempt that was refused; after the last one the mail is parked. Some 22 hours in all. */
const RETRY_AFTER_MS: readonly number[] = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
];

/** Mails that one process hands over at the same time. */
const AT_ONCE = 4;
const PAUSE_AFTER_FAULT_MS = 5_000;
/** A fault that has not come again for so long is over: the mail that met it may be with another process by now. */
const FAULT_OVER_AFTER_MS = 3 * PAUSE_AFTER_FAULT_MS;
const FAULT = 'a mail could not be worked on and is tried again; the log says why';

export interface MailerParts extends Pick<ProcessParts, 'log' | 'pause' | 'standstills'> {
  readonly commandPorts: CommandPorts;
  readonly queues: Pick<JobQueues, 'consume'>;
  readonly transport: MailTransport;
  readonly letters: LetterWriter;
  readonly retryAfterMs?: readonly number[];
  readonly figures?: MailFigures | undefined;
}

/** Sends the mails that are asked for (design, Outward). */
export function startMailer(parts: MailerParts): RunningProcess {
  const { queues, log, commandPorts, retryAfterMs = RETRY_AFTER_MS } = parts;
  const stoodStill = parts.standstills?.('mailer');
  let faultAt: Moment | undefined;

  const handle = async (job: Job, signal: AbortSignal): Promise<JobOutcome> => {
    const parsed = mailJobSchema.safeParse(job.body);
    if (!parsed.success || parsed.data.jobId !== job.id) {
      log.error({ job_id: job.id }, 'A job in the queue of mails cannot be read');
      return { kind: 'dead', reason: 'unreadable' };
    }
    try {
      const outcome = await workOn(parsed.data, { ...parts, retryAfterMs }, signal);
      faultAt = undefined;
      return outcome;
    } catch (error) {
      const isAway = error instanceof StoreUnavailable;
      // One mail that cannot be made keeps nobody else waiting, so it is no reason to take the service for ill.
      if (isAway) {
        faultAt = commandPorts.now();
        stoodStill?.();
      }
      log.error({ job_id: job.id, reason: describeError(error), at: originOf(error) }, 'A mail could not be worked on');
      return { kind: 'again', at: momentAfter(commandPorts.now(), isAway ? PAUSE_AFTER_FAULT_MS : MINUTE_MS) };
    }
  };
  const fault = (): string | undefined => {
    const isOver = faultAt === undefined || momentAfter(faultAt, FAULT_OVER_AFTER_MS) <= commandPorts.now();
    return isOver ? undefined : FAULT;
  };
  const counted = async (job: Job, signal: AbortSignal): Promise<JobOutcome> => {
    const outcome = await handle(job, signal);
    if (outcome.kind === 'dead') parts.figures?.died();
    return outcome;
  };
  const consumer = queues.consume(MAIL_QUEUE, { handle: counted, concurrency: AT_ONCE });
  parts.figures?.follow(consumer);
  return { name: 'mailer', check: () => consumer.check() ?? fault(), stop: consumer.stop };
}
