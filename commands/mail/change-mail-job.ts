import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { type MailJobEvent, type MailJobState, mailJob, mailJobStream } from '../../src/domain/mail-job/mail-job.ts';
import type { Decision } from '../../src/command-handling/command.ts';
import type { CommandContext } from '../command.ts';

/**
 * The step of a mail job is not due, or another process did it first. Not a Refusal, because only processes run these
 * commands and continue with the next mail.
 */
export class MailNotDue extends Error {
  override readonly name = 'MailNotDue';
}

/** Loads a mail job and records the decision. @throws {MailNotDue} also when the mail was never requested */
export async function changeMailJob(
  context: CommandContext,
  jobId: string,
  decide: (current: MailJobState) => NewEvent<MailJobEvent>[],
): Promise<Decision> {
  const loaded = await context.loadTarget(mailJob, mailJobStream(jobId));
  if (loaded.state === undefined) throw new MailNotDue('there is no such mail');
  return { target: loaded, events: decide(loaded.state), tags: { merchant: loaded.state.job.tenantId } };
}
