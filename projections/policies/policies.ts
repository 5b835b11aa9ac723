import { idOf } from '../../src/event-sourcing/aggregate.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import type { Day, Moment } from '../../src/event-sourcing/time.ts';
import { startOfDay } from '../../src/domain/values/dates.ts';
import { todayOf } from '../../src/domain/policy/cover.ts';
import { dueChangeOf } from '../../src/domain/policy/due.ts';
import type { PolicyEvent } from '../../src/domain/policy/policy-events.ts';
import {
  type FoldedPolicy,
  foldPolicy,
  nextShownTermMoment,
  type PolicyResource,
  policyResourceOn,
} from './policy-resource.ts';
import { defineProjection, requireDocument } from '../projection.ts';
import type { ResourceDocument } from '../resource-document.ts';

/** `view` is the resource on the day of the last event. */
export type PolicyDocument = ResourceDocument<
  PolicyResource,
  {
    /** Tenant id. */
    readonly merchant_id: string;
    readonly environment_id: number;
    readonly test_mode: boolean;
    /** First moment at which another term is shown than in `view`. */
    readonly shown_until: Moment | null;
    readonly currency: string;
    readonly life: FoldedPolicy['life'];
  }
>;

/** Policies by id. */
export const policies = defineProjection<PolicyDocument>({
  name: 'policies',
  version: 3,
  categories: ['policy'],
  indexNames: ['merchant', 'test_mode', 'customer', 'due', 'shown_until'],
  key: ({ stream }) => idOf(stream),
  fold: (document, event) => fold(document, event as RecordedEvent<PolicyEvent>),
  indexes: (document) => ({
    merchant: document.extra.merchant_id,
    test_mode: document.extra.test_mode,
    customer: document.view.policy_holder.customer_id,
    due: dueMomentOf(document),
    shown_until: document.extra.shown_until,
  }),
});

/** Returns the policy as its document has it. */
export function foldedPolicyOf({ view, extra }: PolicyDocument): FoldedPolicy {
  return { facts: view, currency: extra.currency, life: extra.life };
}

/** Returns the resource of a policy on a day in its zone. */
export function resourceOn(document: PolicyDocument, day: Day): PolicyResource {
  return policyResourceOn(foldedPolicyOf(document), day);
}

/** Returns the first moment at which the scheduler changes the policy; null when only a person can change it. */
function dueMomentOf({ extra: { life } }: PolicyDocument): Moment | null {
  const due = dueChangeOf(life);
  return due === undefined ? null : startOfDay(due.day, life.timeZone);
}

function fold(document: PolicyDocument | undefined, event: RecordedEvent<PolicyEvent>): PolicyDocument {
  const isFirst = event.type === 'PolicyImported' || event.type === 'PolicyPurchased';
  const before = isFirst ? undefined : foldedPolicyOf(requireDocument(document, event));
  const policy = foldPolicy(before, event);
  const { merchantId, environmentId, testMode } = event.data;
  const day = todayOf(policy.life, event.metadata.recordedAt);
  return {
    view: policyResourceOn(policy, day),
    extra: {
      merchant_id: merchantId,
      environment_id: environmentId,
      test_mode: testMode,
      shown_until: nextShownTermMoment(policy.life, day),
      currency: policy.currency,
      life: policy.life,
    },
  };
}
