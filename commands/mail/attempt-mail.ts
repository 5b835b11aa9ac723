import type { Moment } from '../../src/domain/dates.ts';
import type { NewEvent } from '../../src/domain/event.ts';
import {
  type MailJob,
  type MailJobEvent,
  type MailJobState,
  mailJob,
  mailJobSchema,
  mailJobStream,
} from '../../src/domain/mail-job.ts';
import { type CarriedOut, defineCommand, stateOf } from '../command.ts';
import { recordDecision } from '../shared/record-decision.ts';
import { MailNotDue } from './not-due.ts';

/** Takes the job for one attempt. @throws {MailNotDue} when it is another's, done, or to wait */
export function decideAttemptMail(
  job: MailJob,
  present: MailJobState | undefined,
  now: Moment,
): NewEvent<MailJobEvent>[] {
  const { is } = present?.situation ?? { is: 'due' };
  const waitIsOver = present?.situation.is === 'waiting' && present.situation.until <= now;
  if (is !== 'due' && !waitIsOver) throw new MailNotDue(`the job is ${is}`);
  return [{ type: 'MailAttempted.v1', data: { ...job, attempt: (present?.attempts ?? 0) + 1 } }];
}

/**
 * Records that a mail is about to be handed over. Of several workers with the same job exactly one gets through, because
 * each runs it under an id of its own. Run by Surety itself, not in the back office.
 */
export const attemptMail = defineCommand({
  name: 'AttemptMail',
  summary: 'Records that a mail is about to be handed over.',
  input: mailJobSchema,
  roles: [],
  inEnvironment: false,
  creates: false,
  changesOneStream: true,
  handle: async (job, context) => {
    const present = await context.loadTarget(mailJob, mailJobStream(job.jobId));
    const events = decideAttemptMail(job, present.state, context.now);
    return await recordDecision(context, present, events, { merchant: job.tenantId });
  },
  result: ({ history }: CarriedOut<MailJobEvent>) => {
    const { attempts, attemptsInRow } = stateOf(mailJob, history);
    return { attempt: attempts, attempts_in_row: attemptsInRow };
  },
});
