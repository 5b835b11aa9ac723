import { z } from 'zod';
import type { Aggregate } from '../../event-sourcing/aggregate.ts';
import { defineEvent, type EventOf, type RecordedEvent } from '../../event-sourcing/event.ts';
import { uuid } from '../../event-sourcing/identifiers.ts';
import type { Audience } from '../audience.ts';
import { visibility } from '../values/world.ts';

/** Returns the stream of a provider (insurer). */
export const providerStream = (providerId: string): string => `provider-${providerId}`;

/** The ids in every event of a provider, so that readers can route it by the event alone. */
const ids = {
  providerId: uuid,
  /** The worlds in which it is visible. */
  visibility,
};

const details = {
  name: z.string(),
  supportEmail: z.string().nullable(),
  supportPhone: z.string().nullable(),
  address: z.string().nullable(),
};
const detailsSchema = z.object(details);
export type ProviderDetails = z.infer<typeof detailsSchema>;

export const ProviderRegistered = defineEvent('ProviderRegistered.v1', {
  ...ids,
  /** Tenant id of the only merchant that sees it, whose import registered it; null: every merchant sees it. */
  merchantId: uuid.nullable(),
  ...details,
});

/** `changes` has only the changed fields. */
export const ProviderUpdated = defineEvent('ProviderUpdated.v1', {
  ...ids,
  changes: detailsSchema.partial(),
});

export type ProviderEvent = EventOf<typeof ProviderRegistered> | EventOf<typeof ProviderUpdated>;

export interface ProviderState extends ProviderDetails, Audience {
  readonly providerId: string;
}

function evolve(state: ProviderState | undefined, event: RecordedEvent<ProviderEvent>): ProviderState {
  if (event.type === 'ProviderRegistered') {
    const { effectiveAt: _, ...facts } = event.data;
    return facts;
  }
  if (state === undefined) throw new Error(`${event.type} in ${event.stream} before the provider exists`);
  return { ...state, ...(event.data.changes as Partial<ProviderDetails>) };
}

export const provider: Aggregate<ProviderState, ProviderEvent> = {
  category: 'provider',
  events: [ProviderRegistered, ProviderUpdated],
  evolve,
};
