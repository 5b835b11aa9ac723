import { z } from 'zod';
import type { Aggregate } from '#event-sourcing/aggregate.ts';
import { defineEvent, type EventOf, type RecordedEvent } from '#event-sourcing/event.ts';
import { uuid, normalise, withoutInvisible } from '#event-sourcing/identifiers.ts';
import type { VisibilityFields } from '../visibility.ts';
import { visibility } from '../values/mode.ts';

export const providerStream = (providerId: string): string => `provider-${providerId}`;

/** The ids in every event of a provider, so that readers can route it by the event alone. */
const ids = { providerId: uuid, visibility };

const details = {
  name: z.string(),
  supportEmail: z.string().nullable(),
  supportPhone: z.string().nullable(),
  address: z.string().nullable(),
};
const detailsSchema = z.object(details);
export type ProviderDetails = z.infer<typeof detailsSchema>;

export const ProviderRegistered = defineEvent('ProviderRegistered.v1', 'An insurer was registered.', {
  ...ids,
  merchantId: uuid.nullable().describe('The only merchant that sees it until it is confirmed; null: all see it.'),
  imported: z.boolean().describe('Whether an import registered it, so that only its merchant ever sees it.'),
  ...details,
});

export const ProviderUpdated = defineEvent('ProviderUpdated.v1', 'Details of an insurer were changed.', {
  ...ids,
  changes: detailsSchema.partial().describe('The new values only.'),
});

export const ProviderConfirmed = defineEvent(
  'ProviderConfirmed.v1',
  'An insurer that a merchant registered, and its products, are visible to every merchant.',
  ids,
);

export const ProviderWithdrawn = defineEvent(
  'ProviderWithdrawn.v1',
  'An insurer was withdrawn: it is no longer listed, and its products are no longer quoted. Its policies continue.',
  ids,
);

const EVENTS = [ProviderRegistered, ProviderUpdated, ProviderConfirmed, ProviderWithdrawn] as const;
export type ProviderEvent = EventOf<(typeof EVENTS)[number]>;

type ProviderIds = Pick<ProviderEvent['data'], 'providerId' | 'visibility'>;

export function providerIds({ providerId, visibility: seenIn }: ProviderIds): ProviderIds {
  return { providerId, visibility: seenIn };
}

export interface ProviderState extends ProviderDetails, VisibilityFields {
  readonly providerId: string;
  readonly imported: boolean;
  readonly isWithdrawn: boolean;
}

function evolve(state: ProviderState | undefined, event: RecordedEvent<ProviderEvent>): ProviderState {
  if (event.type === 'ProviderRegistered') {
    const { effectiveAt: _, ...details } = event.data;
    return { ...details, isWithdrawn: false };
  }
  if (state === undefined) throw new Error(`${event.type} in ${event.stream} before the provider exists`);
  switch (event.type) {
    case 'ProviderUpdated':
      return { ...state, ...(event.data.changes as Partial<ProviderDetails>) };
    case 'ProviderConfirmed':
      return { ...state, merchantId: null };
    case 'ProviderWithdrawn':
      return { ...state, isWithdrawn: true };
    default:
      return event satisfies never;
  }
}

export const provider: Aggregate<ProviderState, ProviderEvent> = {
  category: 'provider',
  events: EVENTS,
  evolve,
};

/**
 * Returns the text by which names of providers are compared, as Unicode's NFKC_Casefold: without case, width and
 * invisible characters. Letters of different scripts stay different.
 */
export function caseFoldedName(name: string): string {
  // JavaScript folds no case: the upper case of "ß" and "ς" is that of "ss" and "σ", but "ẞ" first needs its lower
  // case.
  return normalise(withoutInvisible(name.normalize('NFKC')).toLowerCase().toUpperCase());
}
