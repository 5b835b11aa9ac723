import { z } from 'zod';
import { day } from '../src/event-sourcing/time.ts';
import type { PolicyTransactions } from '../projections/transactions/policy-transactions.ts';
import type { ListedTransaction } from '../projections/transactions/transaction.ts';
import { Refusal } from '../src/domain/refusals.ts';
import { findPage, jsonArray, type ListQuery } from './lists.ts';
import type { PageAnswer, QueryContext } from './query.ts';
import { sum, uuid } from './shapes.ts';
import { parseBody } from './stored-documents.ts';

export const transactionShape = z
  .strictObject({
    transaction_id: uuid.meta({ description: 'The same in every replay of the log' }),
    kind: z.enum(['premium', 'return_premium', 'claim_payment']),
    amount: sum.meta({ description: 'Negative for return premiums and claim payments' }),
    tax: sum.nullable().meta({ description: 'Tax included in the amount; null where it is not known' }),
    commission: sum.nullable().meta({ description: 'Commission on the amount; null where it is not known' }),
    currency: z.string(),
    date: day.meta({
      description:
        'Of a premium the first day of the term; of a return premium the day of the decision, or the first day of the term if that is later; of a claim payment the day of the payment',
    }),
    policy_id: uuid,
    claim_id: uuid.nullable(),
    term: z
      .strictObject({ from: day, through: day })
      .nullable()
      .meta({ description: 'The term as it was recorded; null for claim payments' }),
  })
  .meta({ id: 'Transaction' });

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
