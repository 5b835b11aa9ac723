import { MailNotDue } from '#commands/mail/mail-moves.ts';
import { loadState } from '#domain/events.ts';
import { mailJob, mailJobStream } from '#domain/mail-job/mail-job.ts';
import { type Instant, instantAfter } from '#event-sourcing/time.ts';
import { uuid } from '#event-sourcing/identifiers.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import type { JobMessage, JobQueues } from '#stores/messaging/messaging.ts';
import { describeError, firstFramesOf } from '#service/observability/describe-error.ts';
import { backOff } from '#stores/shared/timing.ts';
import { MAIL_QUEUE } from './mail-job-relay.ts';
import type { ProcessParts, RunningProcess } from '../runtime/process.ts';
import { type MailSenderParts, sendMail } from './send-mail.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Pauses after the first, second, … refused attempt, about 22 hours in total; after the next refusal the mail is
 * parked.
 */
const RETRY_AFTER_MS: readonly number[] = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
];

const CONCURRENCY = 4;
/** Without a failed mail for this long an outage counts as over: other mailers may receive the mails. */
const OUTAGE_OVER_AFTER_MS = 15_000;
const OUTAGE = 'a store is unavailable; mails that could not be processed are requested again';

export interface MailerParts extends Omit<MailSenderParts, 'retryAfterMs'>, Pick<ProcessParts, 'stalls'> {
  readonly queues: Pick<JobQueues, 'consume'>;
  readonly retryAfterMs?: readonly number[];
}

/**
 * Sends the mails whose ids arrive in the queue. A message is committed whatever its result: the event log has the
 * result, and the scheduler requests open mails again. While a store is unavailable, the mailer pauses after each
 * failed message, so that an outage does not drain the queue.
 */
export function startMailer(parts: MailerParts): RunningProcess {
  const { queues, log, pause, commandPorts, mailerMetrics, retryAfterMs = RETRY_AFTER_MS } = parts;
  const countStall = parts.stalls?.('mailer');
  let lastFailureAt: Instant | undefined;
  const pauses = backOff();

  const isOutage = (): boolean =>
    lastFailureAt !== undefined && commandPorts.now() < instantAfter(lastFailureAt, OUTAGE_OVER_AFTER_MS);
  const endOutage = (): void => {
    if (lastFailureAt !== undefined) log.info({ process: 'mailer' }, 'The stores answer the mailer again');
    lastFailureAt = undefined;
    pauses.reset();
  };
  const pauseInOutage = async (error: StoreUnavailable, signal: AbortSignal): Promise<void> => {
    if (!isOutage()) {
      pauses.reset();
      const fields = { process: 'mailer', reason: describeError(error), at: firstFramesOf(error) };
      log.error(fields, 'A store is unavailable, so the mailer pauses after each mail');
    }
    lastFailureAt = commandPorts.now();
    countStall?.();
    await pause(pauses.next(), signal);
  };
  const handle = async ({ jobId, location }: JobMessage, signal: AbortSignal): Promise<void> => {
    try {
      const { data: id } = uuid.safeParse(jobId);
      const state = id === undefined ? id : await loadState(mailJob, mailJobStream(id), commandPorts.eventStore);
      if (state === undefined) {
        mailerMetrics?.skipped();
        log.warn(
          { queue: MAIL_QUEUE, ...location },
          'Skipped a message in the mail queue: it is not the id of a mail job',
        );
        return;
      }
      if (state.delivery.status === 'requested') await sendMail(state.job, { ...parts, retryAfterMs }, signal);
      endOutage();
    } catch (error) {
      // Another mailer has taken the mail.
      if (error instanceof MailNotDue) return;
      if (error instanceof StoreUnavailable) {
        await pauseInOutage(error, signal);
        return;
      }
      // One faulty mail does not delay the others, so the process stays ready.
      log.error(
        { job_id: jobId, reason: describeError(error), at: firstFramesOf(error) },
        'Could not process a mail job',
      );
    }
  };
  const consumer = queues.consume(MAIL_QUEUE, { handle, concurrency: CONCURRENCY });
  return {
    name: 'mailer',
    check: () => consumer.check() ?? (isOutage() ? OUTAGE : undefined),
    stop: consumer.stop,
  };
}
