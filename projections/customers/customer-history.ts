import { categoryOf, idOf } from '../../src/event-sourcing/aggregate.ts';
import { defineEntryProjection, type EventAddress } from '../projection.ts';

/** Where to read one event of a customer, or of one of its policies or claims. */
export interface CustomerHistoryEntry {
  readonly customer_id: string;
  readonly stream: string;
  readonly revision: number;
}

/** The events of each customer in the order of the log, one document an event, so that a page of a history costs a page. */
export const customerHistory = defineEntryProjection<CustomerHistoryEntry>({
  name: 'customer_history',
  version: 1,
  categories: ['customer', 'policy', 'claim'],
  indexNames: ['customer'],
  // Without the position, which a move to another store changes.
  key: (address) => (customerOf(address) === undefined ? undefined : `${address.stream}@${address.revision}`),
  entry: (address) => ({
    customer_id: customerOf(address) ?? '',
    stream: address.stream,
    revision: address.revision,
  }),
  indexes: ({ customer_id }) => ({ customer: customer_id }),
});

/** Returns the customer of an event; undefined when its metadata name none. */
function customerOf({ stream, metadata: { customer } }: EventAddress): string | undefined {
  if (categoryOf(stream) === 'customer') return idOf(stream) || undefined;
  return typeof customer === 'string' && customer !== '' ? customer : undefined;
}
