import { texts } from '../texts.ts';
import { ClaimList } from './claims.tsx';
import { CustomerList } from './customers.tsx';
import { Environments } from './environments.tsx';
import { PolicyList } from './policies.tsx';
import { RenewalsDue } from './renewals.tsx';
import { Statement } from './statement.tsx';

/** The lists of a merchant, by the first part of their address. */
export const MERCHANT_VIEWS = {
  renewals: [texts.renewalsDue, RenewalsDue],
  policies: [texts.policies, PolicyList],
  claims: [texts.claims, ClaimList],
  customers: [texts.customers, CustomerList],
  statement: [texts.statement, Statement],
  environments: [texts.environments, Environments],
} as const;
