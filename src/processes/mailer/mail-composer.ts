import type { CommandServices } from '../../../commands/services.ts';
import type { CommandPorts } from '../../command-handling/ports.ts';
import type { MailJob } from '../../domain/mail-job/mail-job.ts';
import type { MerchantState } from '../../domain/merchant/merchant.ts';
import { composeMail, type Mailbox } from '../../mail/compose.ts';
import type { ComposedMail } from '../../mail/mail.ts';
import { type MessageContext, onboardingMessage, verificationMessage } from '../../mail/messages.ts';

/** Makes the mail of a job out of what is known of its merchant now. */
export type MailComposer = (job: MailJob, merchant: MerchantState) => Promise<ComposedMail>;

export interface MailComposerOptions extends Pick<CommandPorts, 'now'>, Pick<CommandServices, 'verificationToken'> {
  readonly from: Mailbox;
  readonly supportEmail: string | undefined;
  /** Where Surety is reached, without a slash at its end. */
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
    const content =
      kind === 'onboarding'
        ? onboardingMessage({ name, tenantId, shortCode }, context)
        : verificationMessage(
            // The only place that makes a token for a recipient.
            {
              name,
              shortCode,
              token: verificationToken(tenantId, serial),
              expiresAt: verification?.expiresAt ?? now(),
            },
            context,
          );
    const to = { name, address: businessEmail };
    return await composeMail({ ...content, jobId, from, to, replyTo: supportEmail, date: now() });
  };
}
