import { apiKeys } from './api-keys/api-keys.ts';
import { claims } from './claims/claims.ts';
import { customers } from './customers/customers.ts';
import { eventEntries } from './event-entries/event-entries.ts';
import { environments } from './environments/environments.ts';
import { mailJobs } from './mail-jobs/mail-jobs.ts';
import { merchants } from './merchants/merchants.ts';
import { persons } from './persons/persons.ts';
import { policies } from './policies/policies.ts';
import { products } from './products/products.ts';
import type { AnyProjection } from './projection.ts';
import { providers } from './providers/providers.ts';
import { searchTerms } from './search-terms/search-terms.ts';
import { transactions } from './transactions/transactions.ts';

export const PROJECTIONS: readonly AnyProjection[] = [
  policies,
  claims,
  customers,
  transactions,
  eventEntries,
  searchTerms,
  merchants,
  environments,
  apiKeys,
  persons,
  products,
  providers,
  mailJobs,
];
