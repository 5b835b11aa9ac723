import { termRow } from '../support/merchant-fixture.ts';
import { command, createMerchant } from './service.ts';

/** A merchant's key and policies. */
export interface Subject {
  readonly url: string;
  readonly key: string;
  readonly policyIds: readonly string[];
  /** Start of the next renewal of every policy. */
  next: string;
}

/** A multiple of all concurrency levels, so that one worker renews a policy repeatedly, in order. */
const POLICIES = 1_024;

/** Registers a merchant and imports its policies, which end in 2035. */
export async function makePolicies(url: string): Promise<Subject> {
  const { environmentId: environment, key } = await createMerchant(url);
  const policyIds: string[] = [];
  for (let number = 0; number < POLICIES; number++) {
    const row = termRow(`BENCH-${number}`, { term_from: '2026-01-01', term_through: '2035-12-31' });
    const { policy_id: policyId } = await command(url, 'ImportPolicyTerm', { ...row, environment_id: environment });
    policyIds.push(String(policyId));
  }
  return { url, key, policyIds, next: '2036-01-01' };
}
