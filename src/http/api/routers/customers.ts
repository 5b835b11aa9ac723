import { updateCustomer } from '#commands/customer/update-customer.ts';
import { type CustomerResource, customerSchema } from '#projections/customers/customer-resource.ts';
import { customerResource, readCustomerLists } from '#queries/customer-view.ts';
import { getCustomer, listMerchantCustomers } from '#queries/customers.ts';
import { getCustomerHistory } from '#queries/history/customer-history.ts';
import { listCustomerClaims } from '#queries/claims.ts';
import { listCustomerTransactions } from '#queries/transactions.ts';
import { listCustomerPolicies } from '#queries/policies.ts';
import { commandRoute } from '../handlers/command-route.ts';
import { queryRoute } from '../handlers/query-route.ts';
import { basePathOf } from '../messages/links.ts';
import { type AuthenticatedRoute, routesOf } from '../../server/route.ts';

export const customerRoutes = routesOf<AuthenticatedRoute>('Customers', [
  queryRoute('/api/v1/merchants/:short_code/customers/', listMerchantCustomers),
  queryRoute('/api/v1/customers/:id/', getCustomer),
  commandRoute('/api/v1/customers/:id/', {
    command: updateCustomer,
    method: 'PATCH',
    inPath: { member: 'customer_id', notFound: 'customer_not_found' },
    response: customerSchema,
    bodyOf: async ({ result }, { readModels, commandPorts, publicUrl }, { nextTurn, reader }) => {
      const details = result as unknown as CustomerResource;
      const lists = await readCustomerLists(
        { reader, readModels, now: commandPorts.now(), nextTurn },
        details.customer_id,
      );
      return JSON.stringify(customerResource(details, lists, basePathOf(publicUrl)));
    },
  }),
  queryRoute('/api/v1/customers/:id/history/', getCustomerHistory),
  queryRoute('/api/v1/customers/:id/claims/', listCustomerClaims),
  queryRoute('/api/v1/customers/:id/transactions', listCustomerTransactions),
  queryRoute('/api/v1/customers/:id/policies', listCustomerPolicies),
]);
