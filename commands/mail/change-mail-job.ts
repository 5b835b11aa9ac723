import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { type MailJobEvent, type MailJobState, mailJob, mailJobStream } from '../../src/domain/mail-job/mail-job.ts';
import type { CommandContext, Handled } from '../../src/command-handling/command.ts';
import { recordDecision } from '../../src/command-handling/record-decision.ts';

/**
 * Another process took this step of a mail job first, or the step is not due. Not a Refusal: only processes
 * run these commands, and the process continues with the next mail.
 */
export class MailNotDue extends Error {
  override readonly name = 'MailNotDue';
}

/** Loads a mail job and records what is decided for it. @throws {MailNotDue} also when it was never requested */
export async function changeMailJob(
  context: CommandContext,
  jobId: string,
  decide: (present: MailJobState) => NewEvent<MailJobEvent>[],
): Promise<Handled> {
  const loaded = await context.loadTarget(mailJob, mailJobStream(jobId));
  if (loaded.state === undefined) throw new MailNotDue('there is no such mail');
  return await recordDecision(context, loaded, decide(loaded.state), { merchant: loaded.state.job.tenantId });
}
