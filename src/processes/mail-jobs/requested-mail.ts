import { decode, typeOf } from '../../domain/events.ts';
import type { EventOf } from '../../event-sourcing/event.ts';
import { derivedId } from '../../event-sourcing/identifiers.ts';
import type { MailJob } from '../../domain/mail-job/mail-job.ts';
import { MerchantVerificationRequested, MerchantVerified } from '../../domain/merchant/merchant.ts';
import type { StoredEvent } from '../../event-store/event-store.ts';

export const MAIL_QUEUE = 'surety.jobs.mail.v1';

const KINDS: Readonly<Partial<Record<string, MailJob['kind']>>> = {
  [MerchantVerificationRequested.type]: 'verification',
  [MerchantVerified.type]: 'onboarding',
};

/**
 * Returns the mail that an event requires; undefined when it requires none. The job id is derived from the event id, so an event
 * that is read twice gives the same job.
 * @throws {UnreadableEvent}
 */
export function mailJobRequestedBy(event: StoredEvent): MailJob | undefined {
  const kind = KINDS[typeOf(event) ?? ''];
  if (kind === undefined) return undefined;
  const { tenantId, serial } = (decode(event) as EventOf<typeof MerchantVerified>).data;
  return { jobId: derivedId('mail', event.id), kind, tenantId, serial };
}
