import { z } from 'zod';
import { linkedPaging } from './lists.ts';
import { defineQuery } from './query.ts';
import { getCustomerDocument } from './resources.ts';
import { readTransactionPage } from './transactions.ts';
import { customerPath } from './parameters.ts';
import { transactionSchema } from '../projections/transactions/transaction.ts';

export const listCustomerTransactions = defineQuery({
  name: 'ListCustomerTransactions',
  summary:
    'Lists what is owed under all policies of a customer, in the order in which it was recorded: premiums, return premiums and claim payments.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: customerPath,
  search: z.strictObject(linkedPaging),
  paged: true,
  response: z.array(transactionSchema),
  async answer({ path, search }, context) {
    const { key } = await getCustomerDocument(context, path.id);
    return await readTransactionPage(context, { ...search, where: { customer: key } });
  },
});
