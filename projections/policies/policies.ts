import { idOf } from '../../src/event-sourcing/aggregate.ts';
import type { Recorded } from '../../src/event-sourcing/event.ts';
import { type Day, dayOf } from '../../src/event-sourcing/time.ts';
import type { PolicyEvent } from '../../src/domain/policy/policy.ts';
import { type PolicyView, policyView } from '../../src/domain/policy/policy-view.ts';
import { defineProjection, existing } from '../projection.ts';
import type { Viewed } from '../view-text.ts';

export type PolicyDocument = Viewed<
  PolicyView,
  {
    /** Tenant id. */
    readonly merchant_id: string;
    readonly environment_id: number;
    readonly test_mode: boolean;
    /** Start of the first term. */
    readonly first_from: Day;
    readonly auto_renew: boolean;
  }
>;

/** The policies, by id. */
export const policies = defineProjection<PolicyDocument>({
  name: 'policies',
  version: 2,
  categories: ['policy'],
  indexNames: ['merchant', 'test_mode', 'due'],
  key: ({ stream }) => idOf(stream),
  fold: (document, event) => fold(document, event as Recorded<PolicyEvent>),
  indexes: (document) => ({
    merchant: document.extra.merchant_id,
    test_mode: document.extra.test_mode,
    due: dueOn(document),
  }),
});

/**
 * The day on which time alone changes the policy: its start day while it is accepted, the day of its renewal while it is
 * active and renews by itself. Null when it waits for a person, or for nothing.
 */
function dueOn({ view, extra }: PolicyDocument): Day | null {
  if (view.status === 'accepted') {
    return view.inspection_required || view.cerfication_required ? null : extra.first_from;
  }
  if (view.status !== 'active' || !extra.auto_renew || view.renewal_date === null) return null;
  return dayOf(view.renewal_date);
}

function fold(document: PolicyDocument | undefined, event: Recorded<PolicyEvent>): PolicyDocument {
  if (event.type === 'PolicyImported' || event.type === 'PolicyPurchased') return begun(event);
  const { view, extra } = existing(document, event);
  return { view: policyView(view, event), extra: extraAfter(extra, event) };
}

type Begun = Extract<PolicyEvent, { readonly type: 'PolicyImported' | 'PolicyPurchased' }>;

function begun(event: Recorded<Begun>): PolicyDocument {
  const { merchantId, environmentId, testMode, term } = event.data;
  return {
    view: policyView(undefined, event),
    extra: {
      merchant_id: merchantId,
      environment_id: environmentId,
      test_mode: testMode,
      first_from: term.from,
      auto_renew: event.type === 'PolicyPurchased' && event.data.autoRenew,
    },
  };
}

function extraAfter(extra: PolicyDocument['extra'], event: PolicyEvent): PolicyDocument['extra'] {
  if (event.type === 'PolicyRenewed') return { ...extra, auto_renew: event.data.autoRenew };
  if (event.type !== 'PolicyTermImported' || event.data.term.from > extra.first_from) return extra;
  return { ...extra, first_from: event.data.term.from };
}
