import { z } from 'zod';
import { toCustomerResource } from '../../projections/customers/customer-resource.ts';
import { type CustomerDocument, customers } from '../../projections/customers/customers.ts';
import { customerStream } from '../../src/domain/customer/customer.ts';
import { paging } from '../lists.ts';
import { defineQuery } from '../query.ts';
import { getCustomerDocument } from '../resources.ts';
import { uuidText } from '../shapes.ts';
import { historyEntryShape, readHistoryPage } from './history-page.ts';

export const getCustomerHistory = defineQuery({
  name: 'GetCustomerHistory',
  summary:
    'Lists every event that changed a customer, those of its policies and claims among them, oldest first; `active_policies`, which the day alone can change, is left out.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: z.strictObject({ id: uuidText }),
  search: z.strictObject(paging),
  paged: true,
  showsPaging: true,
  response: z.array(historyEntryShape),
  async answer({ path, search }, context) {
    const stored = await getCustomerDocument(context, path.id);
    const toResource = (document: CustomerDocument): object => {
      const { active_policies: _, ...withoutDayFields } = toCustomerResource(document, context.today);
      return withoutDayFields;
    };
    const ownStream = customerStream(stored.key);
    return await readHistoryPage(context, { projection: customers, ownStream, toResource }, stored, search);
  },
});
