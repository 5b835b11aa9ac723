import type { Aggregate } from '../../event-sourcing/aggregate.ts';
import type { RecordedEvent } from '../../event-sourcing/event.ts';
import { type Tags, merchantTags } from '../tags.ts';
import {
  evolveLifecycle,
  type FirstPolicyEvent,
  firstLifecycle,
  type Lifecycle,
  type PolicyTerm,
} from './lifecycle.ts';
import { POLICY_EVENTS, type PolicyEvent } from './policy-events.ts';

/** Returns the stream of a policy. */
export const policyStream = (policyId: string): string => `policy-${policyId}`;

/** The ids that every event of a policy carries, so that projections route by the event alone. */
export type PolicyIds = Pick<
  PolicyEvent['data'],
  'policyId' | 'merchantId' | 'environmentId' | 'testMode' | 'customerId'
>;

/** Picks the ids of a policy from its state or from the data of its events. */
export function policyIds({ policyId, merchantId, environmentId, testMode, customerId }: PolicyIds): PolicyIds {
  return { policyId, merchantId, environmentId, testMode, customerId };
}

/** Returns the tags of the events of a policy. */
export function policyTags({ policyId, merchantId, testMode, customerId }: PolicyIds): Tags {
  return { ...merchantTags({ merchantId, testMode }), customer: customerId, policy: policyId };
}

/** A policy: the parties and the product, which never change, and its lifecycle. */
export interface PolicyState
  extends PolicyIds,
    Pick<FirstPolicyEvent['data'], 'policyNumber' | 'merchantName' | 'holder' | 'provider' | 'product' | 'currency'>,
    Lifecycle {}

const wholeTerm = (term: PolicyTerm): PolicyTerm => term;

function evolve(state: PolicyState | undefined, event: RecordedEvent<PolicyEvent>): PolicyState {
  if (event.type === 'PolicyImported' || event.type === 'PolicyPurchased') {
    const { policyNumber, merchantName, holder, provider, product, currency } = event.data;
    const parties = { policyNumber, merchantName, holder, provider, product, currency };
    return { ...policyIds(event.data), ...parties, ...firstLifecycle(event, wholeTerm) };
  }
  if (state === undefined) throw new Error(`${event.type} in ${event.stream} before the policy exists`);
  return { ...state, ...evolveLifecycle(state, event, wholeTerm) };
}

export const policy: Aggregate<PolicyState, PolicyEvent> = { category: 'policy', events: POLICY_EVENTS, evolve };
