import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { type MailJobEvent, type MailJobState, mailJob, mailJobStream } from '../../src/domain/mail-job/mail-job.ts';
import type { CommandContext, HandlerResult } from '../../src/command-handling/command.ts';
import { recordDecision } from '../../src/command-handling/record-decision.ts';

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
  decide: (present: MailJobState) => NewEvent<MailJobEvent>[],
): Promise<HandlerResult> {
  const loaded = await context.loadTarget(mailJob, mailJobStream(jobId));
  if (loaded.state === undefined) throw new MailNotDue('there is no such mail');
  return await recordDecision(context, loaded, decide(loaded.state), { merchant: loaded.state.job.tenantId });
}
