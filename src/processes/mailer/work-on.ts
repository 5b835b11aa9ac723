import type { AnyCommand } from '../../../commands/command.ts';
import type { CommandPorts } from '../../../commands/execution/ports.ts';
import type { CommandOutcome } from '../../../commands/execution/request.ts';
import { attemptMail } from '../../../commands/mail/attempt-mail.ts';
import { concludeMail } from '../../../commands/mail/conclude-mail.ts';
import { dropMail } from '../../../commands/mail/drop-mail.ts';
import { MailNotDue } from '../../../commands/mail/not-due.ts';
import type { Aggregate } from '../../domain/aggregate.ts';
import { decode } from '../../domain/codec.ts';
import { type Moment, momentAfter } from '../../domain/dates.ts';
import type { DomainEvent, Recorded } from '../../domain/event.ts';
import {
  ATTEMPT_OVER_AFTER_MS,
  type DropReason,
  type MailJob,
  type MailSituation,
  mailJob,
  mailJobStream,
} from '../../domain/mail-job.ts';
import { type MerchantState, merchant, merchantStream } from '../../domain/merchant.ts';
import { StoreUnavailable } from '../../event-store/event-store.ts';
import type { ComposedMail, Handover, MailTransport } from '../../mail/mail.ts';
import type { JobOutcome } from '../../messaging/messaging.ts';
import { runOwnCommand } from '../own-command.ts';
import type { ProcessParts } from '../process.ts';
import type { MailFigures } from './figures.ts';
import type { LetterWriter } from './letters.ts';

/** What work on a mail needs. */
export interface Workplace extends Pick<ProcessParts, 'log' | 'pause'> {
  readonly commandPorts: CommandPorts;
  readonly transport: MailTransport;
  readonly letters: LetterWriter;
  readonly retryAfterMs: readonly number[];
  readonly figures?: MailFigures | undefined;
}

/** How long an end that could not be recorded is tried again: an attempt is given up only after 60 s. */
const TRIES_TO_CONCLUDE = 5;
const PAUSE_TO_CONCLUDE_MS = 500;

/**
 * Does what is to be done for a mail now, and says when to come again. Whoever else works on it, and whoever is killed when:
 * one job id never mails twice unless a person says so (design, Outward).
 * @throws {StoreUnavailable}
 */
export async function workOn(job: MailJob, workplace: Workplace, signal: AbortSignal): Promise<JobOutcome> {
  for (;;) {
    const present = await stateOf(mailJob, mailJobStream(job.jobId), workplace.commandPorts);
    try {
      const outcome = await nextStep(job, present?.situation ?? { is: 'due' }, present?.attempts, workplace, signal);
      if (outcome !== undefined) return outcome;
    } catch (error) {
      // Somebody else took this step: look where it stands now.
      if (!(error instanceof MailNotDue)) throw error;
    }
  }
}

/** Undefined: something was done, look again. */
async function nextStep(
  job: MailJob,
  situation: MailSituation,
  attempt: number | undefined,
  workplace: Workplace,
  signal: AbortSignal,
): Promise<JobOutcome | undefined> {
  const now = workplace.commandPorts.now();
  switch (situation.is) {
    case 'sent':
    case 'dropped':
      return { kind: 'done' };
    case 'parked':
      return { kind: 'dead', reason: situation.reason };
    case 'attempting': {
      const over = momentAfter(situation.since, ATTEMPT_OVER_AFTER_MS);
      if (now < over) return { kind: 'again', at: over };
      await run(concludeMail, { jobId: job.jobId, attempt, outcome: { is: 'abandoned' } }, job, workplace);
      workplace.log.warn({ job_id: job.jobId, kind: job.kind }, 'Nobody knows whether a mail went out; it is parked');
      return undefined;
    }
    case 'waiting':
      if (now < situation.until) return { kind: 'again', at: situation.until };
      return await attemptOrDrop(job, workplace, signal);
    case 'due':
      return await attemptOrDrop(job, workplace, signal);
    default:
      return situation satisfies never;
  }
}

async function attemptOrDrop(job: MailJob, workplace: Workplace, signal: AbortSignal): Promise<JobOutcome | undefined> {
  const { commandPorts, letters, transport } = workplace;
  if (signal.aborted) return { kind: 'again', at: commandPorts.now() };
  const receiver = await stateOf(merchant, merchantStream(job.tenantId), commandPorts);
  const reason = dropReason(job, receiver, commandPorts.now());
  if (receiver === undefined || reason !== undefined) {
    await run(dropMail, { job, reason }, job, workplace);
    return { kind: 'done' };
  }
  const mail: ComposedMail = await letters(job, receiver);
  const { result } = await run(attemptMail, job, job, workplace);
  const { attempt, attempts_in_row: inRow } = result as { readonly attempt: number; readonly attempts_in_row: number };
  await conclude(job, attempt, inRow, await transport.handOver(mail, signal), workplace);
  return undefined;
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
  attempt: number,
  inRow: number,
  handover: Handover,
  workplace: Workplace,
): Promise<void> {
  const { log, retryAfterMs, pause, figures } = workplace;
  figures?.handedOver(handover.is);
  const retry = { retryAfterMs: retryAfterMs[inRow - 1] ?? null };
  const outcome = handover.is === 'refused' ? { ...handover, ...retry } : handover;
  const told = { job_id: job.jobId, kind: job.kind, attempt, ...outcome };
  if (outcome.is === 'sent') log.info(told, 'A mail was handed over');
  else log.warn(told, 'A mail was not handed over, or nobody knows');
  for (let tries = 1; ; tries++) {
    try {
      await run(concludeMail, { jobId: job.jobId, attempt, outcome }, job, workplace);
      return;
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || tries === TRIES_TO_CONCLUDE) throw error;
      await pause(PAUSE_TO_CONCLUDE_MS, new AbortController().signal);
    }
  }
}

/** In the events of a mail its job stands as the request. */
async function run(
  command: AnyCommand,
  input: unknown,
  job: MailJob,
  { commandPorts }: Workplace,
): Promise<CommandOutcome> {
  return await runOwnCommand(command, input, commandPorts, job.jobId);
}

async function stateOf<State, E extends DomainEvent>(
  aggregate: Aggregate<State, E>,
  stream: string,
  { eventStore }: Pick<CommandPorts, 'eventStore'>,
): Promise<State | undefined> {
  const events = (await eventStore.readStream(stream)).map((raw) => decode(raw) as Recorded<E>);
  return events.reduce<State | undefined>((state, event) => aggregate.evolve(state, event), undefined);
}
