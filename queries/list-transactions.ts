import { z } from 'zod';
import { type ListedTransaction, transactionSchema } from '#projections/transactions/transaction.ts';
import { linkedPaging, type ListQuery, readPage } from './lists.ts';
import { customerPath, environmentChoice, policyPath } from './parameters.ts';
import { defineQuery, type PageResponse, type QueryContext } from './query.ts';
import { CUSTOMER_ERRORS, getCustomerDocument, getPolicyDocument, parseBody, POLICY_ERRORS } from './resources.ts';

/** Returns a page of transactions in the order of the log. @throws {Refusal} naming `after` or `before` */
async function readTransactionPage(context: QueryContext, query: ListQuery): Promise<PageResponse> {
  return await readPage(context, 'transactions', query, (stored) =>
    JSON.stringify((parseBody(stored) as ListedTransaction).transaction),
  );
}

export const listPolicyTransactions = defineQuery({
  name: 'ListPolicyTransactions',
  summary:
    'Lists what is owed under a policy, in the order in which it was recorded: premiums, their changes, return premiums and claim payments.',
  description: describeTransactions('the policy'),
  errors: POLICY_ERRORS,
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
  description: describeTransactions('all policies of the customer'),
  errors: CUSTOMER_ERRORS,
  pathParameters: customerPath,
  search: z.strictObject(linkedPaging),
  paged: true,
  response: z.array(transactionSchema),
  async respond({ path, search }, context) {
    const { key } = await getCustomerDocument(context, path.id);
    return await readTransactionPage(context, { ...search, where: { customer: key } });
  },
});

/** @param owner of the policies */
function describeTransactions(owner: string): string {
  return `What is owed under ${owner} by the contract, in the order of the log; Surety moves no money. Each term has one \`premium\`. A change of coverages is a
\`premium_change\` of each term that it touches, what a cancellation, a decline or a withdrawn term returns a \`return_premium\`, what a reinstatement owes again a \`premium_reinstated\`, a payment of a claim a \`claim_payment\`, and its reversal one of the positive amount. There is no entry for 0.00. Id, \`date\` and \`term\` are those
of the event: the activation of a policy changes no entry.`;
}
