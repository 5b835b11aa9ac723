import { describe, expect, test } from '@jest/globals';
import {
  claimImported,
  customerRegistered,
  MERCHANT_ID,
  policyImported,
  sampleId,
  toRecorded,
} from '#test/support/sample-events.ts';
import { addressOf, type EventAddress } from '../projection.ts';
import { eventEntries } from './event-entries.ts';

const events = toRecorded(customerRegistered(1), policyImported(1, 1), claimImported(1, 1, 1));
const [customer, policy, claim] = events.map((event) => ({ ...event, type: event.storedType })).map(addressOf);

/** They are made without decoding the event. */
function rowsOf(address: EventAddress) {
  return eventEntries.rows(address, () => {
    throw new Error('the event cannot be read');
  });
}

function indexesOf(address: EventAddress | undefined, changes: Partial<EventAddress> = {}) {
  if (address === undefined) throw new Error('there is no event');
  return rowsOf({ ...address, ...changes })[0]?.indexes;
}

describe('An entry of an event', () => {
  test('is found by customer, and where the event is public by merchant and mode', () => {
    const [id, live] = [sampleId('customer', 1), { feed: `${MERCHANT_ID} live`, feed_mode: 'live' }];
    expect(indexesOf(customer)).toEqual({ customer: id, feed: null, feed_mode: null });
    expect(indexesOf(policy)).toEqual({ customer: id, ...live });
    expect(indexesOf(claim)).toEqual({ customer: id, ...live });
    const merchant = {
      stream: `merchant-${MERCHANT_ID}`,
      type: 'MerchantUpdated.v1',
      metadata: { merchant: MERCHANT_ID },
    };
    expect(indexesOf(policy, merchant)).toEqual({ customer: null, feed: `${MERCHANT_ID} both`, feed_mode: 'both' });
    expect([customer, policy].flatMap((one) => one && rowsOf(one)).map((row) => row?.key)).toEqual([
      customer?.id,
      policy?.id,
    ]);
  });

  test('of a product or provider is in no feed of a merchant', () => {
    const provider = { stream: 'provider-1', type: 'ProviderUpdated.v1', metadata: { merchant: 'm', testMode: true } };
    expect(indexesOf(policy, provider)).toEqual({ customer: null, feed: null, feed_mode: 'test' });
  });

  test('is in no feed when its type is not public, and in feeds when this version does not know its type', () => {
    const none = { feed: null, feed_mode: null };
    expect(indexesOf(policy, { type: 'ClaimPaymentBooked.v1' })).toMatchObject(none);
    expect(indexesOf(policy, { type: 'PolicySplit.v1' })).toMatchObject({ feed_mode: 'live' });
    expect(indexesOf(customer, { type: 'CustomerSplit.v1' })).toMatchObject(none);
  });

  test('is in the feeds when the store found the event altered, because its type may be what was altered', () => {
    const altered = { type: 'ClaimPaymentBooked.v1', isAltered: true };
    expect(indexesOf(policy, altered)).toMatchObject({ feed: `${MERCHANT_ID} live`, feed_mode: 'live' });
  });
});
