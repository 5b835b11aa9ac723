import type { Policy, SuretyClient } from '#client/index.ts';

/** Returns the policies of the sample that are in force and can be renewed. */
export async function policiesInForce(merchant: SuretyClient): Promise<Policy[]> {
  const { merchant: own } = await merchant.me();
  const all = await Array.fromAsync(merchant.merchants.policies(own?.short_code ?? ''));
  return all.filter(({ status, in_force, renewable }) => status === 'active' && in_force && renewable);
}

/** Takes the last of some policies. @throws {Error} when none is left */
export function takePolicy(policies: Policy[]): Policy {
  const policy = policies.pop();
  if (policy === undefined) throw new Error('the sample has too few policies');
  return policy;
}

/** Takes the last of some policies of which no later term is agreed. @throws {Error} when none is left */
export async function takeRenewable(policies: Policy[], merchant: SuretyClient): Promise<Policy> {
  const policy = takePolicy(policies);
  const { results } = await merchant.policies.terms(policy.policy_id);
  const isLast = results.every(({ through }) => through <= policy.effective_through);
  return isLast ? policy : await takeRenewable(policies, merchant);
}
