import type { OperationPages } from '../page.ts';
import { ADMIN_BUSINESS_PAGES } from './admin-business.ts';
import { ADMIN_CATALOGUE_PAGES } from './admin-catalogue.ts';
import { ADMIN_PARTY_PAGES } from './admin-parties.ts';
import { AUDIT_PAGES } from './audit.ts';
import { CATALOGUE_PAGES } from './catalogue.ts';
import { CUSTOMER_AND_CLAIM_PAGES } from './customers-and-claims.ts';
import { MERCHANT_PAGES } from './merchants.ts';
import { POLICY_PAGES } from './policies.ts';
import { QUOTE_PAGES } from './quotes.ts';
import { SERVICE_PAGES } from './service.ts';

/** Pages of all operations. `test/api/reference.test.ts` fails for a missing page or a page without an operation. */
export const PAGES: OperationPages = {
  ...QUOTE_PAGES,
  ...CATALOGUE_PAGES,
  ...POLICY_PAGES,
  ...CUSTOMER_AND_CLAIM_PAGES,
  ...MERCHANT_PAGES,
  ...ADMIN_PARTY_PAGES,
  ...ADMIN_CATALOGUE_PAGES,
  ...ADMIN_BUSINESS_PAGES,
  ...AUDIT_PAGES,
  ...SERVICE_PAGES,
};
