import { idOf } from '../../src/event-sourcing/aggregate.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import { type Day, dayOf } from '../../src/event-sourcing/time.ts';
import type { PolicyEvent } from '../../src/domain/policy/policy.ts';
import { type PolicyResource, foldPolicyResource } from './policy-resource.ts';
import { defineProjection, requireDocument } from '../projection.ts';
import type { ResourceDocument } from '../resource-document.ts';

export type PolicyDocument = ResourceDocument<
  PolicyResource,
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

/** Policies by id. */
export const policies = defineProjection<PolicyDocument>({
  name: 'policies',
  version: 2,
  categories: ['policy'],
  indexNames: ['merchant', 'test_mode', 'due'],
  key: ({ stream }) => idOf(stream),
  fold: (document, event) => fold(document, event as RecordedEvent<PolicyEvent>),
  indexes: (document) => ({
    merchant: document.extra.merchant_id,
    test_mode: document.extra.test_mode,
    due: dueDayOf(document),
  }),
});

/**
 * Returns the day on which the scheduler changes the policy: the start day of an accepted one, the renewal day of an active one
 * with automatic renewal. Null when only a person can change it.
 */
function dueDayOf({ view, extra }: PolicyDocument): Day | null {
  if (view.status === 'accepted') {
    return view.inspection_required || view.cerfication_required ? null : extra.first_from;
  }
  if (view.status !== 'active' || !extra.auto_renew || view.renewal_date === null) return null;
  return dayOf(view.renewal_date);
}

function fold(document: PolicyDocument | undefined, event: RecordedEvent<PolicyEvent>): PolicyDocument {
  if (event.type === 'PolicyImported' || event.type === 'PolicyPurchased') return newPolicy(event);
  const { view, extra } = requireDocument(document, event);
  return { view: foldPolicyResource(view, event), extra: extraAfter(extra, event) };
}

type FirstEvent = Extract<PolicyEvent, { readonly type: 'PolicyImported' | 'PolicyPurchased' }>;

function newPolicy(event: RecordedEvent<FirstEvent>): PolicyDocument {
  const { merchantId, environmentId, testMode, term } = event.data;
  return {
    view: foldPolicyResource(undefined, event),
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
