import { idOf } from '../../src/domain/aggregate.ts';
import type { Recorded } from '../../src/domain/event.ts';
import type { PolicyEvent } from '../../src/domain/policy.ts';
import { type PolicyView, policyView } from '../../src/domain/policy-view.ts';
import { defineProjection, existing } from '../projection.ts';
import type { Viewed } from '../view-text.ts';

export type PolicyDocument = Viewed<
  PolicyView,
  {
    /** Tenant id. */
    readonly merchant_id: string;
    readonly environment_id: number;
    readonly test_mode: boolean;
  }
>;

/** The policies, by id. */
export const policies = defineProjection<PolicyDocument>({
  name: 'policies',
  version: 1,
  categories: ['policy'],
  indexNames: ['merchant', 'test_mode'],
  key: ({ stream }) => idOf(stream),
  fold: (document, event) => fold(document, event as Recorded<PolicyEvent>),
  indexes: ({ extra }) => ({ merchant: extra.merchant_id, test_mode: extra.test_mode }),
});

function fold(document: PolicyDocument | undefined, event: Recorded<PolicyEvent>): PolicyDocument {
  if (event.type !== 'PolicyImported.v1') {
    const { view, extra } = existing(document, event);
    return { view: policyView(view, event), extra };
  }
  const { merchantId, environmentId, testMode } = event.data;
  return {
    view: policyView(undefined, event),
    extra: { merchant_id: merchantId, environment_id: environmentId, test_mode: testMode },
  };
}
