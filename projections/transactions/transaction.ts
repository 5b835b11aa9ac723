import { z } from 'zod';
import { day, instant } from '#event-sourcing/time.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { namedId } from '#event-sourcing/identifiers.ts';
import { formatMoney, parseSum } from '#domain/values/money.ts';
import type { PolicyEvent } from '#domain/policy/policy-events.ts';
import { ownerOf } from '../owner.ts';
import { sum } from '#domain/values/money.ts';
import type { ResourceOf } from '../schema.ts';

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
        'Of a premium the first day of its term; of another entry of a term the business day of the event, or that first day if it is later; of a claim payment its day, of its reversal the day of that',
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

export type Transaction = ResourceOf<typeof transactionSchema>;

export interface ListedTransaction {
  readonly customer_id: string;
  /** The merchant and the mode. */
  readonly owner: string;
  readonly transaction: Transaction;
}

type Details = Omit<Transaction, 'transaction_id' | 'currency' | 'recorded_at' | 'event_id' | 'policy_id'>;

/**
 * Returns the transaction of an event, with an id that is the same in every replay.
 * @param name id of the term or of the payment
 */
export function listedTransaction(
  { id, data, metadata }: RecordedEvent<PolicyEvent>,
  name: string,
  { kind, amount, net, fee, tax, commission, date, claim_id, term_id, term }: Details,
): ListedTransaction {
  const transaction = {
    transaction_id: namedId(id, name),
    kind,
    amount,
    net,
    fee,
    tax,
    commission,
    currency: data.currency,
    date,
    recorded_at: metadata.recordedAt,
    event_id: id,
    policy_id: data.policyId,
    claim_id,
    term_id,
    term,
  };
  const owner = ownerOf({ merchant_id: data.merchantId, test_mode: data.testMode });
  return { customer_id: data.customerId, owner, transaction };
}

export function negate(amount: string): string {
  return formatMoney(-parseSum(amount));
}
