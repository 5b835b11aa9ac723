import { getCustomer } from '../../../queries/get-customer.ts';
import { getCustomerHistory } from '../../../queries/history/get-customer-history.ts';
import { listCustomerClaims } from '../../../queries/list-customer-claims.ts';
import { listCustomerTransactions } from '../../../queries/list-customer-transactions.ts';
import { queryRoute } from '../handlers/query-route.ts';
import type { AuthenticatedRoute } from '../route.ts';

export const customerRoutes: readonly AuthenticatedRoute[] = [
  queryRoute('/api/v1/customers/:id', getCustomer),
  queryRoute('/api/v1/customers/:id/history', getCustomerHistory),
  queryRoute('/api/v1/customers/:id/claims', listCustomerClaims),
  queryRoute('/api/v1/customers/:id/transactions', listCustomerTransactions),
];
