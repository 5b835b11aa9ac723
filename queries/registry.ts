import { getClaim } from './get-claim.ts';
import { getCustomer } from './get-customer.ts';
import { getEnvironment } from './get-environment.ts';
import { getMerchant } from './get-merchant.ts';
import { getPolicy } from './get-policy.ts';
import { getProduct } from './get-product.ts';
import { getClaimHistory } from './history/get-claim-history.ts';
import { getCustomerHistory } from './history/get-customer-history.ts';
import { getMerchantHistory } from './history/get-merchant-history.ts';
import { getPolicyHistory } from './history/get-policy-history.ts';
import { getQuote } from './get-quote.ts';
import { listCustomerClaims } from './list-customer-claims.ts';
import { listInsurers } from './list-insurers.ts';
import { listMailJobs } from './list-mail-jobs.ts';
import { listMerchants } from './list-merchants.ts';
import { listParked } from './list-parked.ts';
import { listPolicies } from './list-policies.ts';
import { listProducts } from './list-products.ts';
import type { AnyQuery } from './query.ts';
import { searchProviders } from './search-providers.ts';

/** Every question that can be asked. */
export const QUERIES: readonly AnyQuery[] = [
  getQuote,
  listPolicies,
  getPolicy,
  getPolicyHistory,
  getCustomer,
  getCustomerHistory,
  listCustomerClaims,
  getClaim,
  getClaimHistory,
  listMerchants,
  getMerchant,
  getMerchantHistory,
  getEnvironment,
  listProducts,
  getProduct,
  listInsurers,
  searchProviders,
  listParked,
  listMailJobs,
];
