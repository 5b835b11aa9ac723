import { compareTexts } from '../src/event-sourcing/identifiers.ts';
import { z } from 'zod';
import { day } from '../src/event-sourcing/time.ts';
import type { PolicyTransactions } from '../projections/transactions/policy-transactions.ts';
import type { RecordedTransaction } from '../projections/transactions/transaction.ts';
import type { TransactionsDocument } from '../projections/transactions/transactions.ts';
import { Refusal } from '../src/domain/refusals.ts';
import { jsonArray } from './lists.ts';
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

const DOCUMENTS_PER_READ = 1_000;

/**
 * Returns a page of transactions in the order of the log. A page reads all documents that match, about 10 µs each: one for the policy
 * and one for each paid claim, or as many for every policy of a customer. It lets other requests run after each thousand.
 */
export async function readTransactionPage(
  context: QueryContext,
  where: { readonly policy: string } | { readonly customer: string },
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<PageAnswer> {
  const all = await readTransactions(context, where);
  const page = all.slice(offset, offset + limit).map(({ transaction }) => transaction);
  const currencies = await currenciesOf(context, new Set(page.map(({ policy_id }) => policy_id)));
  const items = page.map(({ date, policy_id, claim_id, term, ...transaction }) =>
    JSON.stringify({ ...transaction, currency: currencies.get(policy_id), date, policy_id, claim_id, term }),
  );
  return { kind: 'page', count: all.length, limit, offset, results: jsonArray(items) };
}

async function readTransactions(
  { readModels, nextTurn }: QueryContext,
  where: Readonly<Record<string, string>>,
): Promise<readonly RecordedTransaction[]> {
  // By key: a payment that is recorded during the reads can move a document from one read to the next.
  const documents = new Map<string, readonly RecordedTransaction[]>();
  for (let offset = 0, count = 1; offset < count; offset += DOCUMENTS_PER_READ) {
    if (offset > 0) await nextTurn();
    const found = await readModels.find('transactions', { where, limit: DOCUMENTS_PER_READ, offset });
    count = found.count;
    for (const stored of found.documents) {
      // The last good state of a parked document may lack transactions.
      if (stored.parked !== undefined) throw new Refusal('document_parked');
      documents.set(stored.key, (parseBody(stored) as TransactionsDocument).transactions);
    }
  }
  // Sorting is stable: transactions of one event keep their order.
  return [...documents.values()].flat().sort((a, b) => compareTexts(a.position, b.position));
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
