import { z } from 'zod';
import { instant } from '#event-sourcing/time.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { type VisibilityFields, visibilityScope } from '#domain/visibility.ts';
import type { Visibility } from '#domain/values/mode.ts';
import { type ProviderDetails, type ProviderEvent, caseFoldedName } from '#domain/provider/provider.ts';
import { defineProjection, requireDocument } from '../projection.ts';
import type { ResourceOf } from '../schema.ts';

export const providerSchema = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    address: z.string().nullable(),
    phone_number: z.string().nullable(),
    is_confirmed: z.boolean().meta({
      description:
        'Whether every merchant sees it; false: only the merchant that registered it, until it is confirmed, or whose import did',
    }),
    withdrawn_at: instant.nullable().meta({ description: 'Only platform keys find a withdrawn provider' }),
  })
  .meta({ id: 'Provider' });

export interface ProviderDocument extends Omit<ResourceOf<typeof providerSchema>, 'is_confirmed'> {
  readonly support_email: string | null;
  /** The modes in which it is visible. */
  readonly visibility: Visibility;
  /** Tenant id of the only merchant that sees it; null: every merchant sees it. */
  readonly merchant_id: string | null;
}

/**
 * Insurers by id. The index `folded_name` is the name as it is compared; search texts are folded too. `visible_to` is
 * null where no merchant finds the insurer any more; `scope` is what it was before.
 */
export const providers = defineProjection<ProviderDocument>({
  name: 'providers',
  version: 2,
  categories: ['provider'],
  indexNames: ['visible_live', 'visible_test', 'visible_to', 'scope', 'folded_name'],
  fold: (document, event) => fold(document, event as RecordedEvent<ProviderEvent>),
  indexes: (document) => ({
    visible_live: document.visibility !== 'test',
    visible_test: document.visibility !== 'live',
    visible_to: document.withdrawn_at === null ? visibilityScope(providerVisibility(document)) : null,
    scope: visibilityScope(providerVisibility(document)),
    folded_name: caseFoldedName(document.name),
  }),
});

/** Returns the visibility of an insurer, withdrawn or not. */
export function providerVisibility({ visibility, merchant_id: merchantId }: ProviderDocument): VisibilityFields {
  return { visibility, merchantId };
}

function fold(document: ProviderDocument | undefined, event: RecordedEvent<ProviderEvent>): ProviderDocument {
  if (event.type === 'ProviderRegistered') {
    const { providerId: id, visibility, merchantId: merchant_id, ...details } = event.data;
    return { id, ...toFields(details), withdrawn_at: null, visibility, merchant_id };
  }
  const before = requireDocument(document, event);
  switch (event.type) {
    case 'ProviderUpdated': {
      const { name, address, support_email: supportEmail, phone_number: supportPhone } = before;
      const details = { name, address, supportEmail, supportPhone };
      return { ...before, ...toFields({ ...details, ...(event.data.changes as Partial<ProviderDetails>) }) };
    }
    case 'ProviderConfirmed':
      return { ...before, merchant_id: null };
    case 'ProviderWithdrawn':
      return { ...before, withdrawn_at: event.metadata.recordedAt };
    default:
      return event satisfies never;
  }
}

function toFields({ name, address, supportPhone, supportEmail }: ProviderDetails) {
  return { name, address, phone_number: supportPhone, support_email: supportEmail };
}
