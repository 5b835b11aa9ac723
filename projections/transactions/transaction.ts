import { z } from 'zod';
import { day, instant } from '../../src/event-sourcing/time.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import { namedId } from '../../src/event-sourcing/identifiers.ts';
import { formatMoney, parseSum } from '../../src/domain/values/money.ts';
import type { Part } from '../projection.ts';
import { type ResourceOf, sum } from '../schema.ts';
import { logOrder } from '../working-document.ts';

export const TRANSACTION_KINDS = [
  'premium',
  'premium_change',
  'return_premium',
  'premium_reinstated',
  'claim_payment',
] as const;

/** An amount that is owed by the contract. Positive amounts are owed to the insurer, negative ones by the insurer. */
export const transactionSchema = z
  .strictObject({
    transaction_id: z.uuid().meta({ description: 'The same in every replay of the log' }),
    kind: z.enum(TRANSACTION_KINDS),
    amount: sum.meta({
      description:
        'Sum of net price, fee and tax. Negative for return premiums and claim payments; of either sign for changes',
    }),
    net: sum,
    fee: sum,
    tax: sum.nullable().meta({ description: 'Null where it is not known, and for claim payments' }),
    commission: sum
      .nullable()
      .meta({ description: 'A part of the net price; null where it is not known, and for claim payments' }),
    currency: z.string(),
    date: day.meta({
      description:
        'Of a premium the first day of its term; of another entry of a term the business day of the event, or that first day if it is later; of a claim payment the day of the payment',
    }),
    recorded_at: instant,
    event_id: z.uuid().meta({ description: 'The event that it follows from' }),
    policy_id: z.uuid(),
    claim_id: z.uuid().nullable(),
    term_id: z.uuid().nullable().meta({ description: 'Null for claim payments' }),
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

type Details = Omit<Transaction, 'transaction_id' | 'recorded_at' | 'event_id'>;

/** Returns the transaction of an event, with an id that is the same in every replay. @param name what it is about: a term or a claim */
export function recordedTransaction(
  { id, revision, position, metadata }: Pick<RecordedEvent, 'id' | 'revision' | 'position' | 'metadata'>,
  name: string,
  details: Details,
): RecordedTransaction {
  const transaction_id = namedId(id, name);
  const transaction = { transaction_id, ...details, recorded_at: metadata.recordedAt, event_id: id };
  return { revision, position: logOrder(position), transaction };
}

export function negate(amount: string): string {
  return formatMoney(-parseSum(amount));
}
