import { Counter } from 'prom-client';
import type { CommandPorts } from '#event-sourcing/executor/ports.ts';
import { attemptMail, concludeMail, dropMail } from '#commands/mail/mail-moves.ts';
import { loadState } from '#domain/events.ts';
import { type Instant, instantAfter } from '#event-sourcing/time.ts';
import { ATTEMPT_OVER_AFTER_MS, type DropReason, type MailJob } from '#domain/mail-job/mail-job.ts';
import { type MerchantState, merchant, merchantStream } from '#domain/merchant/merchant.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { type SendResult, type MailTransport, type ComposedMail, composeMail, type MailAddress } from './mail.ts';
import { runSystemCommand } from '#event-sourcing/executor/execute-command.ts';
import type { ProcessParts } from '../runtime/process.ts';
import type { CommandServices } from '#commands/services.ts';
import { type MessageContext, onboardingMessage, verificationMessage } from './messages.ts';

export interface MailSenderParts extends Pick<ProcessParts, 'log' | 'pause'> {
  readonly commandPorts: CommandPorts;
  readonly monotonic: () => number;
  readonly transport: MailTransport;
  readonly compose: MailComposer;
  readonly retryAfterMs: readonly number[];
  readonly mailerMetrics?: MailerMetrics | undefined;
}

/** Attempts to record a result; the mail attempt expires only after 60 s. */
const MAX_CONCLUDE_ATTEMPTS = 5;
const CONCLUDE_PAUSE_MS = 500;

/**
 * The longest time between the record of an attempt and sending the mail, by both clocks: SMTP takes up to 45 s, and
 * the attempt expires after 60 s. The wall clock alone is not enough, because the recorded time comes from another host
 * when that host's clock is ahead; the monotonic clock alone is not enough, because it may stop while the machine is
 * suspended.
 */
const SEND_WITHIN_MS = ATTEMPT_OVER_AFTER_MS - 45_000;

/**
 * Records an attempt, sends the mail and records the result. A job is never sent twice, also after a kill, unless an
 * operator resends it.
 * @throws {MailNotDue} when another mailer has taken the job
 * @throws {StoreUnavailable}
 */
export async function sendMail(job: MailJob, parts: MailSenderParts, signal: AbortSignal): Promise<void> {
  const { commandPorts, compose, transport, log, monotonic } = parts;
  const { now } = commandPorts;
  const recipient = await loadState(merchant, merchantStream(job.tenantId), commandPorts.eventStore);
  const reason = dropReason(job, recipient, now());
  if (recipient === undefined || reason !== undefined) {
    await runSystemCommand(dropMail, { jobId: job.jobId, reason }, commandPorts, job.jobId);
    return;
  }
  const mail = await compose(job, recipient);
  const startedAt = monotonic();
  const { result } = await runSystemCommand(attemptMail, { jobId: job.jobId }, commandPorts, job.jobId);
  const attempt = result as unknown as MailAttempt;
  if (monotonic() - startedAt > SEND_WITHIN_MS || now() > instantAfter(attempt.recorded_at, SEND_WITHIN_MS)) {
    log.warn(
      { job_id: job.jobId },
      'Did not send a mail: the process was suspended for too long after it recorded the attempt',
    );
    await conclude(job, attempt, { status: 'refused', reason: 'timeout', smtpCode: null }, parts);
    return;
  }
  await conclude(job, attempt, await transport.send(mail, signal), parts);
}

interface MailAttempt {
  readonly attempt: number;
  readonly attempts_in_row: number;
  readonly recorded_at: Instant;
}

function dropReason(
  { kind, serial }: MailJob,
  recipient: MerchantState | undefined,
  now: Instant,
): DropReason | undefined {
  if (recipient === undefined) return 'merchant_unknown';
  if (kind === 'onboarding') return undefined;
  if (recipient.verified) return 'already_verified';
  if (recipient.verification?.serial !== serial) return 'replaced';
  return now < recipient.verification.expiresAt ? undefined : 'link_expired';
}

async function conclude(
  job: MailJob,
  { attempt, attempts_in_row: inRow }: MailAttempt,
  sendResult: SendResult,
  parts: MailSenderParts,
): Promise<void> {
  const { commandPorts, log, retryAfterMs, pause, mailerMetrics } = parts;
  const { jobId, kind } = job;
  const { status, ...details } = sendResult;
  mailerMetrics?.attempted(status);
  const retry = status === 'refused' ? { retryAfterMs: retryAfterMs[inRow - 1] ?? null } : {};
  const outcome = { status, ...details, ...retry };
  const fields = { job_id: jobId, kind, attempt, outcome: status, ...details, ...retry };
  if (status === 'sent') log.info(fields, 'Sent a mail');
  else if (status === 'refused') log.warn(fields, 'A mail was refused');
  else log.warn(fields, 'The outcome of sending a mail is unknown');
  for (let attempts = 1; ; attempts++) {
    try {
      await runSystemCommand(concludeMail, { jobId, attempt, outcome }, commandPorts, jobId);
      return;
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || attempts === MAX_CONCLUDE_ATTEMPTS) throw error;
      await pause(CONCLUDE_PAUSE_MS, new AbortController().signal);
    }
  }
}

type MailComposer = (job: MailJob, merchant: MerchantState) => Promise<ComposedMail>;

interface MailComposerOptions extends Pick<CommandPorts, 'now'>, Pick<CommandServices, 'verificationToken'> {
  readonly from: MailAddress;
  readonly supportEmail: string | undefined;
  /** Public base URL of Surety, without a trailing slash. */
  readonly origin: () => string;
}

export function mailComposer({
  now,
  verificationToken,
  from,
  supportEmail,
  origin,
}: MailComposerOptions): MailComposer {
  return async ({ jobId, kind, serial, tenantId }, { name, businessEmail, shortCode, verification }) => {
    const context: MessageContext = { origin: origin(), supportEmail };
    const expiresAt = verification?.expiresAt ?? now();
    const content =
      kind === 'onboarding'
        ? onboardingMessage({ name, tenantId, shortCode }, context)
        : verificationMessage({ name, shortCode, token: verificationToken(tenantId, serial), expiresAt }, context);
    const to = { name, address: businessEmail };
    return await composeMail({ ...content, jobId, from, to, replyTo: supportEmail, date: now() });
  };
}

type MailerMetrics = ReturnType<typeof declareMailerMetrics>;

export function declareMailerMetrics({ metrics }: Pick<ProcessParts, 'metrics'>) {
  const attempts = new Counter({
    name: 'surety_mails_total',
    help: 'Attempts of this process to send a mail, by outcome; refused: the mail server was unreachable or rejected the mail',
    labelNames: ['outcome'],
    registers: [metrics],
  });
  for (const outcome of ['sent', 'refused', 'unknown']) attempts.inc({ outcome }, 0);
  const skipped = new Counter({
    name: 'surety_mail_messages_skipped_total',
    help: 'Messages in the mail queue that are not the id of a mail job; the log names partition and offset',
    registers: [metrics],
  });
  return {
    attempted: (outcome: SendResult['status']) => attempts.inc({ outcome }),
    skipped: () => skipped.inc(),
  };
}
