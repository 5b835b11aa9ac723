import { texts } from '../texts.ts';
import { Environments } from './environments.tsx';
import { ClaimList, CustomerList, PoliciesInForce, RenewalsDue } from './merchant-lists.tsx';
import { Statement } from './statement.tsx';

/** The lists of a merchant, by the first part of their address. */
export const MERCHANT_VIEWS = {
  renewals: [texts.renewalsDue, RenewalsDue],
  policies: [texts.policies, PoliciesInForce],
  claims: [texts.claims, ClaimList],
  customers: [texts.customers, CustomerList],
  statement: [texts.statement, Statement],
  environments: [texts.environments, Environments],
} as const;
