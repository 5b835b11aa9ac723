import { z } from 'zod';
import { day } from '../../src/event-sourcing/time.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import { derivedId } from '../../src/event-sourcing/identifiers.ts';
import { formatMoney, parseSum } from '../../src/domain/values/money.ts';
import type { Part } from '../projection.ts';
import { type ResourceOf, sum } from '../schema.ts';
import { logOrder } from '../working-document.ts';

/** An amount that is owed by the contract. Positive amounts are owed to the insurer, negative ones by the insurer. */
export const transactionSchema = z
  .strictObject({
    transaction_id: z.uuid().meta({ description: 'The same in every replay of the log' }),
    kind: z.enum(['premium', 'return_premium', 'claim_payment']),
    amount: sum.meta({ description: 'Negative for return premiums and claim payments' }),
    tax: sum.nullable().meta({ description: 'Tax included in the amount; null where it is not known' }),
    commission: sum.nullable().meta({ description: 'Commission on the amount; null where it is not known' }),
    currency: z.string(),
    date: day.meta({
      description:
        'Of a premium the first day of the term; of a return premium the day of the decision, or the first day of the term if that is later; of a claim payment the day of the payment',
    }),
    policy_id: z.uuid(),
    claim_id: z.uuid().nullable(),
    term: z
      .strictObject({ from: day, through: day })
      .nullable()
      .meta({ description: 'The term as it was recorded; null for claim payments' }),
  })
  .meta({ id: 'Transaction' });

/** A transaction as it is stored: its currency is that of the policy, because events of claims name none. */
type Transaction = Omit<ResourceOf<typeof transactionSchema>, 'currency'>;

export interface RecordedTransaction {
  readonly revision: number;
  /** Position of the event, padded so that positions compare as text. */
  readonly position: string;
  readonly transaction: Transaction;
}

export interface ListedTransaction {
  readonly customer_id: string;
  readonly transaction: Transaction;
}

export interface TransactionsOfStream {
  readonly customer_id: string;
  /** In the order of the log. */
  readonly transactions: readonly RecordedTransaction[];
}

/** Digits of the number of a transaction within its event. */
const NUMBER_DIGITS = 6;

/** Returns the transactions of a policy or a claim as parts, which lists show in the order of the log. */
export function transactionParts({
  customer_id,
  transactions,
}: TransactionsOfStream): readonly Part<ListedTransaction>[] {
  let number = 0;
  let previous = '';
  return transactions.map(({ revision, position, transaction }) => {
    number = position === previous ? number + 1 : 0;
    previous = position;
    return {
      id: transaction.transaction_id,
      createdAt: `${position}-${number.toString().padStart(NUMBER_DIGITS, '0')}`,
      revision,
      position: BigInt(position),
      document: { customer_id, transaction },
    };
  });
}

/** Returns the transaction of an event, with an id that is the same in every replay. */
export function recordedTransaction(
  { id, revision, position }: Pick<RecordedEvent, 'id' | 'revision' | 'position'>,
  details: Omit<Transaction, 'transaction_id'>,
): RecordedTransaction {
  const transactionId = details.term === null ? derivedId(id) : derivedId(id, details.term.from);
  return { revision, position: logOrder(position), transaction: { transaction_id: transactionId, ...details } };
}

export function negated(amount: string): string {
  return formatMoney(-parseSum(amount));
}
