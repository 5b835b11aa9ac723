import type { FirstPolicyEvent } from '#domain/policy/policy-events.ts';
import type { CustomerDetails } from '../customer/customer-of-policy.ts';

/** What the first event of a policy records of its customer. */
export type PolicyHolder = Pick<FirstPolicyEvent['data'], 'holder' | 'customerReference'>;

/** @param reference that of the customer, which may have one although none was given */
export function policyHolder(
  { fullName: name, email, phone, address }: CustomerDetails,
  reference: string | null,
): PolicyHolder {
  return { holder: { name, email, phone, address }, customerReference: reference };
}
