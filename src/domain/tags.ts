import { z } from 'zod';
import { coreMetadata } from '#event-sourcing/event.ts';

/**
 * Schema of the metadata of an event. Its tags identify merchant, customer and policy also when the data cannot be
 * read.
 */
export const metadataSchema = coreMetadata.extend({
  /** Tenant id of the merchant. */
  merchant: z.string().optional(),
  testMode: z.boolean().optional(),
  customer: z.string().optional(),
  policy: z.string().optional(),
});

export type Tags = {
  readonly merchant?: string;
  readonly testMode?: boolean;
  readonly customer?: string;
  readonly policy?: string;
};

/** Returns the tags of events of a merchant in one mode; none for events of the platform. */
export function merchantTags(owner: { readonly merchantId: string; readonly testMode: boolean } | undefined): Tags {
  return owner === undefined ? {} : { merchant: owner.merchantId, testMode: owner.testMode };
}
