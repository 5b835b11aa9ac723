import { decode, typeOf } from '../../domain/events.ts';
import type { EventOf } from '../../event-sourcing/event.ts';
import { derivedId } from '../../event-sourcing/identifiers.ts';
import type { MailJob } from '../../domain/mail-job/mail-job.ts';
import { MerchantVerificationRequested, MerchantVerified } from '../../domain/merchant/merchant.ts';
import type { StoredEvent } from '../../event-store/event-store.ts';

/** Name of the queue of mails, as of the topic that carries it where a broker does. */
export const MAIL_QUEUE = 'surety.jobs.mail.v2';

const KINDS: Readonly<Partial<Record<string, MailJob['kind']>>> = {
  [MerchantVerificationRequested.type]: 'verification',
  [MerchantVerified.type]: 'onboarding',
};

/**
 * The mail that an event asks for; undefined for all others. Its id derives from the event's, so that the same event always
 * asks for the same mail.
 * @throws {UnreadableEvent}
 */
export function mailJobOf(event: StoredEvent): MailJob | undefined {
  const kind = KINDS[typeOf(event) ?? ''];
  if (kind === undefined) return undefined;
  const { tenantId, serial } = (decode(event) as EventOf<typeof MerchantVerified>).data;
  return { jobId: derivedId('mail', event.id), kind, tenantId, serial };
}
