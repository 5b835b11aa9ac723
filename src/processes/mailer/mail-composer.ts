import type { CommandServices } from '../../../commands/services.ts';
import type { CommandPorts } from '../../command-handling/ports.ts';
import type { MailJob } from '../../domain/mail-job/mail-job.ts';
import type { MerchantState } from '../../domain/merchant/merchant.ts';
import { composeMail, type MailAddress } from '../../mail/compose.ts';
import type { ComposedMail } from '../../mail/mail.ts';
import { type MessageContext, onboardingMessage, verificationMessage } from '../../mail/messages.ts';

export type MailComposer = (job: MailJob, merchant: MerchantState) => Promise<ComposedMail>;

export interface MailComposerOptions extends Pick<CommandPorts, 'now'>, Pick<CommandServices, 'verificationToken'> {
  readonly from: MailAddress;
  readonly supportEmail: string | undefined;
  /** Public base URL of Surety, without a trailing slash. */
  readonly origin: () => string;
}

/** Creates the composer of the mails that merchants receive. */
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
