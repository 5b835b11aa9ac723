import { MailNotDue } from '../../../commands/mail/change-mail-job.ts';
import { type Moment, momentAfter } from '../../event-sourcing/time.ts';
import { uuid } from '../../event-sourcing/identifiers.ts';
import { StoreUnavailable } from '../../event-store/event-store.ts';
import type { JobMessage, JobQueues } from '../../messaging/messaging.ts';
import { describeError, originOf } from '../../projector/describe-error.ts';
import { MAIL_QUEUE } from '../mail-jobs/mail-job-of.ts';
import type { ProcessParts, RunningProcess } from '../process.ts';
import { loadMailJob, type MailSenderParts, sendMail } from './send-mail.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Pauses after the first, second, … refused attempt; after the last one the mail is parked. Some 22 hours in all. */
const RETRY_AFTER_MS: readonly number[] = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
];

/** Mails that one process sends at the same time. */
const AT_ONCE = 4;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** An outage ends when no mail has failed for that long: another mailer may have the mails. */
const OUTAGE_OVER_AFTER_MS = 15_000;
const OUTAGE = 'a store is unavailable; mails that could not be processed are requested again';

export interface MailerParts extends Omit<MailSenderParts, 'retryAfterMs'>, Pick<ProcessParts, 'stalls'> {
  readonly queues: Pick<JobQueues, 'consume'>;
  readonly retryAfterMs?: readonly number[];
}

/**
 * Sends the mails whose ids come out of the queue. A message is done whatever the result was: the event log has the result, and
 * the scheduler requests open mails again. While a store is unavailable, each failed message is followed by a growing pause, so that
 * an outage does not empty the queue.
 */
export function startMailer(parts: MailerParts): RunningProcess {
  const { queues, log, pause, commandPorts, mailerMetrics, retryAfterMs = RETRY_AFTER_MS } = parts;
  const countStall = parts.stalls?.('mailer');
  let lastFailureAt: Moment | undefined;
  let failures = 0;

  const isOutage = (): boolean =>
    lastFailureAt !== undefined && commandPorts.now() < momentAfter(lastFailureAt, OUTAGE_OVER_AFTER_MS);
  const endOutage = (): void => {
    if (lastFailureAt !== undefined) log.info({ process: 'mailer' }, 'The mailer reaches the stores again');
    lastFailureAt = undefined;
    failures = 0;
  };
  const pauseInOutage = async (error: StoreUnavailable, signal: AbortSignal): Promise<void> => {
    if (!isOutage()) {
      failures = 0;
      const fields = { process: 'mailer', reason: describeError(error), at: originOf(error) };
      log.error(fields, 'A store is unavailable, so the mailer pauses after each mail');
    }
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
    failures += 1;
    lastFailureAt = commandPorts.now();
    countStall?.();
    await pause(pauseMs, signal);
  };
  const handle = async ({ jobId, location }: JobMessage, signal: AbortSignal): Promise<void> => {
    try {
      const present = uuid.safeParse(jobId).success ? await loadMailJob(String(jobId), commandPorts) : undefined;
      if (present === undefined) {
        mailerMetrics?.skipped();
        log.warn({ queue: MAIL_QUEUE, ...location }, 'Skipped a message in the mail queue: it is not a mail job');
        return;
      }
      if (present.situation.status === 'requested') await sendMail(present.job, { ...parts, retryAfterMs }, signal);
      endOutage();
    } catch (error) {
      // Another mailer was first.
      if (error instanceof MailNotDue) return;
      if (error instanceof StoreUnavailable) {
        await pauseInOutage(error, signal);
        return;
      }
      // One mail that cannot be made delays no other mail, so the process stays ready.
      log.error({ job_id: jobId, reason: describeError(error), at: originOf(error) }, 'A mail could not be processed');
    }
  };
  const consumer = queues.consume(MAIL_QUEUE, { handle, concurrency: AT_ONCE });
  return {
    name: 'mailer',
    check: () => consumer.check() ?? (isOutage() ? OUTAGE : undefined),
    stop: consumer.stop,
  };
}
