import type { CommandPorts } from '../../command-handling/ports.ts';
import { MailNotDue } from '../../../commands/mail/change-mail-job.ts';
import { mailJobInput, requestMail } from '../../../commands/mail/request-mail.ts';
import type { MailJob } from '../../domain/mail-job/mail-job.ts';
import type { Logger } from '../../observability/logging.ts';
import { runSystemCommand } from '../runtime/system-command.ts';
import type { MailCheckpoint } from './checkpoint.ts';

/** Name of the mail queue in earlier versions, whose messages held whole jobs. */
export const LEGACY_MAIL_QUEUE = 'surety.jobs.mail.v1';

/** The mail queue of an earlier version, which was the only record of open mails. */
export interface LegacyMailQueue {
  /** Returns the bodies of all jobs that may be open; empty when the queue does not exist. @throws {StoreUnavailable} */
  readonly read: () => Promise<readonly unknown[]>;
  /** Called at every start, once the event log has all mails of the queue. */
  readonly remove: () => Promise<void>;
}

export interface UpgradeParts {
  readonly commandPorts: CommandPorts;
  readonly checkpoint: MailCheckpoint;
  readonly legacyMailQueue: LegacyMailQueue;
  readonly log: Logger;
}

/**
 * Requests every mail of the legacy queue that has no stream in the event log; the scheduler handles those that have one. It is safe
 * to repeat after a kill.
 * @throws {StoreUnavailable} @throws {WriterFenced}
 */
export async function importLegacyMailJobs({
  commandPorts,
  checkpoint,
  legacyMailQueue,
  log,
}: UpgradeParts): Promise<void> {
  await checkpoint.upgrade(async () => {
    const bodies = await legacyMailQueue.read();
    let requested = 0;
    for (const body of bodies) {
      const job = mailJobInput.safeParse(body);
      if (job.success) requested += (await requestMailOnce(job.data, commandPorts)) ? 1 : 0;
      else log.warn('Skipped a job of an earlier version: it is not a mail job');
    }
    if (bodies.length > 0) log.info({ jobs: bodies.length, requested }, 'Imported the mail jobs of an earlier version');
  });
  await legacyMailQueue.remove();
}

/** Appends the first `MailRequested` of a job; returns false when its stream exists. @throws {StoreUnavailable} */
export async function requestMailOnce(job: MailJob, commandPorts: CommandPorts): Promise<boolean> {
  try {
    await runSystemCommand(requestMail, job, commandPorts, job.jobId);
    return true;
  } catch (error) {
    if (error instanceof MailNotDue) return false;
    throw error;
  }
}
