import type { CommandPorts } from '../../command-handling/ports.ts';
import { MailNotDue } from '../../../commands/mail/change-mail-job.ts';
import { mailJobInput, requestMail } from '../../../commands/mail/request-mail.ts';
import type { MailJob } from '../../domain/mail-job/mail-job.ts';
import type { Logger } from '../../observability/logging.ts';
import { runSystemCommand } from '../system-command.ts';
import type { MailCheckpoint } from './checkpoint.ts';

/** Name of the queue of mails in earlier versions, whose messages carried whole jobs. */
export const EARLIER_MAIL_QUEUE = 'surety.jobs.mail.v1';

/** The queue of an earlier version, which was the register of mails then. */
export interface EarlierJobs {
  /** Bodies of all jobs that may be open. Empty where there is no such queue. @throws {StoreUnavailable} */
  readonly read: () => Promise<readonly unknown[]>;
  /** Called once their mails are in the event log, at every start. */
  readonly remove: () => Promise<void>;
}

export interface UpgradeParts {
  readonly commandPorts: CommandPorts;
  readonly checkpoint: MailCheckpoint;
  readonly earlierJobs: EarlierJobs;
  readonly log: Logger;
}

/**
 * Requests once every mail of the queue of an earlier version that has no stream; those with a stream are in `mail_jobs`, and the
 * scheduler does what is due for them. A kill at any moment repeats a part without effect.
 * @throws {StoreUnavailable} @throws {WriterFenced}
 */
export async function takeOverEarlierJobs({ commandPorts, checkpoint, earlierJobs, log }: UpgradeParts): Promise<void> {
  await checkpoint.upgrade(async () => {
    const bodies = await earlierJobs.read();
    let requested = 0;
    for (const body of bodies) {
      const job = mailJobInput.safeParse(body);
      if (job.success) requested += (await requestMailOnce(job.data, commandPorts)) ? 1 : 0;
      else log.warn('Skipped a job of an earlier version: it is not a mail job');
    }
    if (bodies.length > 0) log.info({ jobs: bodies.length, requested }, 'Imported the mail jobs of an earlier version');
  });
  await earlierJobs.remove();
}

/** Appends the first `MailRequested` of a job; false when its stream exists already. @throws {StoreUnavailable} */
export async function requestMailOnce(job: MailJob, commandPorts: CommandPorts): Promise<boolean> {
  try {
    await runSystemCommand(requestMail, job, commandPorts, job.jobId);
    return true;
  } catch (error) {
    if (error instanceof MailNotDue) return false;
    throw error;
  }
}
