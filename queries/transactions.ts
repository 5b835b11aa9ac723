import type { PolicyTransactions } from '../projections/transactions/policy-transactions.ts';
import type { ListedTransaction } from '../projections/transactions/transaction.ts';
import { Refusal } from '../src/domain/refusals.ts';
import { findPage, jsonArray, type ListQuery } from './lists.ts';
import type { PageAnswer, QueryContext } from './query.ts';
import { parseBody } from './stored-documents.ts';

/** Returns a page of transactions in the order of the log. @throws {Refusal} `invalid_request` naming `after` or `before` */
export async function readTransactionPage(context: QueryContext, query: ListQuery): Promise<PageAnswer> {
  const { limit, offset } = query;
  const { count, documents, cursors } = await findPage(context, 'transactions', query);
  const listed = documents.map((stored) => (parseBody(stored) as ListedTransaction).transaction);
  const currencies = await currenciesOf(context, new Set(listed.map(({ policy_id }) => policy_id)));
  const items = listed.map(({ date, policy_id, claim_id, term, ...transaction }) =>
    JSON.stringify({ ...transaction, currency: currencies.get(policy_id), date, policy_id, claim_id, term }),
  );
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
