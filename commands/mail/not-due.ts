/**
 * Somebody else took this step of a mail job first, or it is no longer to be taken. No refusal: these commands are run by
 * Surety itself, and whoever runs them looks at the job again.
 */
export class MailNotDue extends Error {
  override readonly name = 'MailNotDue';
}
