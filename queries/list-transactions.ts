import { z } from 'zod';
import type { PolicyTransactions } from '../projections/transactions/policy-transactions.ts';
import { type ListedTransaction, transactionSchema } from '../projections/transactions/transaction.ts';
import { Refusal } from '../src/domain/refusals.ts';
import { findPage, jsonArray, linkedPaging, type ListQuery } from './lists.ts';
import { customerPath, environmentChoice, policyPath } from './parameters.ts';
import { defineQuery, type PageResponse, type QueryContext } from './query.ts';
import { getCustomerDocument, getPolicyDocument, parseBody } from './resources.ts';

/** Returns a page of transactions in the order of the log. @throws {Refusal} `invalid_request` naming `after` or `before` */
async function readTransactionPage(context: QueryContext, query: ListQuery): Promise<PageResponse> {
  const { limit, offset } = query;
  const { count, documents, cursors } = await findPage(context, 'transactions', query);
  const listed = documents.map((stored) => (parseBody(stored) as ListedTransaction).transaction);
  const currencies = await currenciesOf(context, new Set(listed.map(({ policy_id }) => policy_id)));
  const items = listed.map(({ transaction_id, kind, amount, net, fee, tax, commission, ...rest }) => {
    const amounts = { amount, net, fee, tax, commission, currency: currencies.get(rest.policy_id) };
    const { date, recorded_at, event_id, policy_id, claim_id, term_id, term } = rest;
    const place = { date, recorded_at, event_id, policy_id, claim_id, term_id, term };
    return JSON.stringify({ transaction_id, kind, ...amounts, ...place });
  });
  return { kind: 'page', count, limit, offset, cursors, results: jsonArray(items) };
}

/** Events of claims name no currency; it is that of the policy. @throws {Refusal} `document_parked` when a policy has no document */
async function currenciesOf(
  { readModels }: QueryContext,
  policyIds: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  const stored = await readModels.getMany('transactions', [...policyIds]);
  const readable = stored.filter(({ body }) => body !== undefined);
  if (readable.length < policyIds.size) throw new Refusal('document_parked');
  return new Map(readable.map((document) => [document.key, (parseBody(document) as PolicyTransactions).currency]));
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
