import type { AnyCommand } from '../../command-handling/command.ts';
import type { CommandPorts } from '../../command-handling/ports.ts';
import type { CommandOutcome } from '../../command-handling/request.ts';
import { attemptMail } from '../../../commands/mail/attempt-mail.ts';
import { concludeMail } from '../../../commands/mail/conclude-mail.ts';
import { dropMail } from '../../../commands/mail/drop-mail.ts';
import type { Aggregate } from '../../event-sourcing/aggregate.ts';
import { decode } from '../../domain/events.ts';
import { type Moment, momentAfter } from '../../event-sourcing/time.ts';
import type { DomainEvent, Recorded } from '../../event-sourcing/event.ts';
import {
  ATTEMPT_OVER_AFTER_MS,
  type DropReason,
  type MailJob,
  type MailJobState,
  mailJob,
  mailJobStream,
} from '../../domain/mail-job/mail-job.ts';
import { type MerchantState, merchant, merchantStream } from '../../domain/merchant/merchant.ts';
import { StoreUnavailable } from '../../event-store/event-store.ts';
import type { SendResult, MailTransport } from '../../mail/mail.ts';
import { runSystemCommand } from '../system-command.ts';
import type { ProcessParts } from '../process.ts';
import type { MailerMetrics } from './metrics.ts';
import type { MailComposer } from './mail-composer.ts';

/** What sending a mail needs. */
export interface MailSenderParts extends Pick<ProcessParts, 'log' | 'pause'> {
  readonly commandPorts: CommandPorts;
  /** Milliseconds of a clock that only goes forward. */
  readonly monotonic: () => number;
  readonly transport: MailTransport;
  readonly compose: MailComposer;
  readonly retryAfterMs: readonly number[];
  readonly mailerMetrics?: MailerMetrics | undefined;
}

/** How often a result that cannot be recorded is tried again: an attempt is over only after 60 s. */
const TRIES_TO_CONCLUDE = 5;
const PAUSE_TO_CONCLUDE_MS = 500;

/**
 * Most milliseconds between the record of an attempt and sending the mail, by each clock: SMTP takes 45 s at most, and the
 * attempt is over after 60 s. The wall clock does not suffice, because the recorded time comes from another host when that host's
 * clock is ahead; the monotonic clock does not suffice, because it may stand while the machine is suspended.
 */
const SEND_WITHIN_MS = ATTEMPT_OVER_AFTER_MS - 45_000;

/** The mail job as the event log has it; undefined when there is none. @throws {StoreUnavailable} */
export async function loadMailJob(jobId: string, ports: CommandPorts): Promise<MailJobState | undefined> {
  return await loadState(mailJob, mailJobStream(jobId), ports);
}

/**
 * Sends a requested mail once: records the attempt, sends it, records the result. Whatever process is killed when, one job id
 * never mails twice unless a person asks for it.
 * @throws {MailNotDue} when another mailer was first @throws {StoreUnavailable}
 */
export async function sendMail(job: MailJob, parts: MailSenderParts, signal: AbortSignal): Promise<void> {
  const { commandPorts, compose, transport, log, monotonic } = parts;
  const { now } = commandPorts;
  const receiver = await loadState(merchant, merchantStream(job.tenantId), commandPorts);
  const reason = dropReason(job, receiver, now());
  if (receiver === undefined || reason !== undefined) {
    await run(dropMail, { jobId: job.jobId, reason }, job, parts);
    return;
  }
  const mail = await compose(job, receiver);
  const startedAt = monotonic();
  const { result } = await run(attemptMail, { jobId: job.jobId }, job, parts);
  const attempt = result as unknown as Attempt;
  if (monotonic() - startedAt > SEND_WITHIN_MS || now() > momentAfter(attempt.recorded_at, SEND_WITHIN_MS)) {
    log.warn({ job_id: job.jobId }, 'The process was held up before a mail was sent, so it is not sent now');
    await conclude(job, attempt, { is: 'refused', reason: 'timeout', smtpCode: null }, parts);
    return;
  }
  await conclude(job, attempt, await transport.send(mail, signal), parts);
}

/** As `AttemptMail` returns it. */
interface Attempt {
  readonly attempt: number;
  readonly attempts_in_row: number;
  readonly recorded_at: Moment;
}

/** Why a mail is not needed any more; undefined when it is. */
function dropReason(
  { kind, serial }: MailJob,
  receiver: MerchantState | undefined,
  now: Moment,
): DropReason | undefined {
  if (receiver === undefined) return 'merchant_unknown';
  if (kind === 'onboarding') return undefined;
  if (receiver.verified) return 'already_verified';
  if (receiver.verification?.serial !== serial) return 'replaced';
  return now < receiver.verification.expiresAt ? undefined : 'link_expired';
}

async function conclude(
  job: MailJob,
  { attempt, attempts_in_row: inRow }: Attempt,
  sendResult: SendResult,
  parts: MailSenderParts,
): Promise<void> {
  const { log, retryAfterMs, pause, mailerMetrics } = parts;
  mailerMetrics?.attempted(sendResult.is);
  const retry = { retryAfterMs: retryAfterMs[inRow - 1] ?? null };
  const outcome = sendResult.is === 'refused' ? { ...sendResult, ...retry } : sendResult;
  const fields = { job_id: job.jobId, kind: job.kind, attempt, ...outcome };
  if (outcome.is === 'sent') log.info(fields, 'A mail was sent');
  else log.warn(fields, 'A mail was not sent, or its outcome is unknown');
  for (let tries = 1; ; tries++) {
    try {
      await run(concludeMail, { jobId: job.jobId, attempt, outcome }, job, parts);
      return;
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || tries === TRIES_TO_CONCLUDE) throw error;
      await pause(PAUSE_TO_CONCLUDE_MS, new AbortController().signal);
    }
  }
}

/** The events name the job id as the request. */
async function run(
  command: AnyCommand,
  input: unknown,
  job: MailJob,
  { commandPorts }: MailSenderParts,
): Promise<CommandOutcome> {
  return await runSystemCommand(command, input, commandPorts, job.jobId);
}

async function loadState<State, E extends DomainEvent>(
  aggregate: Aggregate<State, E>,
  stream: string,
  { eventStore }: Pick<CommandPorts, 'eventStore'>,
): Promise<State | undefined> {
  const events = (await eventStore.readStream(stream)).map((raw) => decode(raw) as Recorded<E>);
  return events.reduce<State | undefined>((state, event) => aggregate.evolve(state, event), undefined);
}
