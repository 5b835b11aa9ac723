import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import { comparedName } from '../../src/domain/provider/provider-name.ts';
import { type Audience, audienceOf } from '../../src/domain/audience.ts';
import type { Visibility } from '../../src/domain/values/world.ts';
import type { ProviderDetails, ProviderEvent } from '../../src/domain/provider/provider.ts';
import { defineProjection, requireDocument } from '../projection.ts';

export interface ProviderDocument {
  readonly id: string;
  readonly name: string;
  readonly address: string | null;
  readonly phone_number: string | null;
  readonly support_email: string | null;
  /** The worlds in which it is visible. */
  readonly visibility: Visibility;
  /** Tenant id of the only merchant that sees it; null: every merchant sees it. */
  readonly merchant_id: string | null;
}

/** Insurers by id. The index `folded_name` is the name as it is compared; search texts are folded too. */
export const providers = defineProjection<ProviderDocument>({
  name: 'providers',
  version: 1,
  categories: ['provider'],
  indexNames: ['visible_live', 'visible_test', 'visible_to', 'folded_name'],
  fold: (document, event) => fold(document, event as RecordedEvent<ProviderEvent>),
  indexes: ({ visibility, merchant_id: merchantId, name }) => ({
    visible_live: visibility !== 'test',
    visible_test: visibility !== 'live',
    visible_to: audienceOf({ visibility, merchantId }),
    folded_name: comparedName(name),
  }),
});

function fold(document: ProviderDocument | undefined, event: RecordedEvent<ProviderEvent>): ProviderDocument {
  if (event.type === 'ProviderUpdated') {
    const before = requireDocument(document, event);
    const details = {
      name: before.name,
      address: before.address,
      supportEmail: before.support_email,
      supportPhone: before.phone_number,
    };
    const changed = { ...details, ...(event.data.changes as Partial<ProviderDetails>) };
    return toDocument(before.id, { visibility: before.visibility, merchantId: before.merchant_id }, changed);
  }
  return toDocument(event.data.providerId, event.data, event.data);
}

function toDocument(id: string, { visibility, merchantId }: Audience, details: ProviderDetails): ProviderDocument {
  return {
    id,
    name: details.name,
    address: details.address,
    phone_number: details.supportPhone,
    support_email: details.supportEmail,
    visibility,
    merchant_id: merchantId,
  };
}
