import { z } from 'zod';
import { type ListedTransaction, transactionSchema } from '#projections/transactions/transaction.ts';
import { linkedPaging, type ListQuery, readPage } from './lists.ts';
import { customerPath, environmentChoice, policyPath } from './parameters.ts';
import { defineQuery, type PageResponse, type QueryContext } from './query.ts';
import { getCustomerDocument, getPolicyDocument, parseBody } from './resources.ts';

/** Returns a page of transactions in the order of the log. @throws {Refusal} `invalid_request` naming `after` or `before` */
async function readTransactionPage(context: QueryContext, query: ListQuery): Promise<PageResponse> {
  return await readPage(context, 'transactions', query, (stored) =>
    JSON.stringify((parseBody(stored) as ListedTransaction).transaction),
  );
}

export const listPolicyTransactions = defineQuery({
  name: 'ListPolicyTransactions',
  summary:
    'Lists what is owed under a policy, in the order in which it was recorded: premiums, their changes, return premiums and claim payments.',
  pathParameters: policyPath,
  search: z.strictObject({ ...environmentChoice, ...linkedPaging }),
  paged: true,
  response: z.array(transactionSchema),
  async respond({ path, search }, context) {
    const { environment_id, ...page } = search;
    const { key } = await getPolicyDocument(context, path.policy_id, environment_id);
    return await readTransactionPage(context, { ...page, where: { policy: key } });
  },
});

export const listCustomerTransactions = defineQuery({
  name: 'ListCustomerTransactions',
  summary:
    'Lists what is owed under all policies of a customer, in the order in which it was recorded: premiums, their changes, return premiums and claim payments.',
  pathParameters: customerPath,
  search: z.strictObject(linkedPaging),
  paged: true,
  response: z.array(transactionSchema),
  async respond({ path, search }, context) {
    const { key } = await getCustomerDocument(context, path.id);
    return await readTransactionPage(context, { ...search, where: { customer: key } });
  },
});
