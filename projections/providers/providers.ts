import { idOf } from '../../src/event-sourcing/aggregate.ts';
import type { Recorded } from '../../src/event-sourcing/event.ts';
import { normalised } from '../../src/event-sourcing/identifiers.ts';
import type { Visibility } from '../../src/domain/values/world.ts';
import type { ProviderDetails, ProviderEvent } from '../../src/domain/provider/provider.ts';
import { defineProjection, existing } from '../projection.ts';

export interface ProviderDocument {
  readonly id: string;
  readonly name: string;
  readonly address: string | null;
  readonly phone_number: string | null;
  readonly support_email: string | null;
  /** In which worlds it is seen. */
  readonly visibility: Visibility;
}

/** The insurers, by id. `folded_name` is the name as `normalised` folds it: search texts go through the same. */
export const providers = defineProjection<ProviderDocument>({
  name: 'providers',
  version: 1,
  categories: ['provider'],
  indexNames: ['visible_live', 'visible_test', 'folded_name'],
  key: ({ stream }) => idOf(stream),
  fold: (document, event) => fold(document, event as Recorded<ProviderEvent>),
  indexes: ({ visibility, name }) => ({
    visible_live: visibility !== 'test',
    visible_test: visibility !== 'live',
    folded_name: normalised(name),
  }),
});

function fold(document: ProviderDocument | undefined, event: Recorded<ProviderEvent>): ProviderDocument {
  if (event.type === 'ProviderUpdated') {
    const before = existing(document, event);
    const details = {
      name: before.name,
      address: before.address,
      supportEmail: before.support_email,
      supportPhone: before.phone_number,
    };
    const changed = { ...details, ...(event.data.changes as Partial<ProviderDetails>) };
    return shown(before.id, before.visibility, changed);
  }
  return shown(event.data.providerId, event.data.visibility, event.data);
}

function shown(id: string, visibility: Visibility, details: ProviderDetails): ProviderDocument {
  return {
    id,
    name: details.name,
    address: details.address,
    phone_number: details.supportPhone,
    support_email: details.supportEmail,
    visibility,
  };
}
