import { getCustomer } from '../../../queries/get-customer.ts';
import { getCustomerHistory } from '../../../queries/history/get-customer-history.ts';
import { listCustomerClaims } from '../../../queries/list-customer-claims.ts';
import { queryRoute } from '../handlers/query-route.ts';
import type { KeyedRoute } from '../route.ts';

export const customerRoutes: readonly KeyedRoute[] = [
  queryRoute('/api/v1/customers/:id', getCustomer),
  queryRoute('/api/v1/customers/:id/history', getCustomerHistory),
  queryRoute('/api/v1/customers/:id/claims', listCustomerClaims),
];
