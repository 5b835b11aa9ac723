import { defineProjection, requireDocument } from '../../projections/projection.ts';
import { categoryOf, idOf } from '../../src/event-sourcing/aggregate.ts';
import type { CustomerEvent } from '../../src/domain/customer/customer.ts';
import type { ClaimEvent } from '../../src/domain/claim/claim-events.ts';
import type { PolicyEvent } from '../../src/domain/policy/policy-events.ts';

/** A customer with the types of the events of its policies and claims. */
export interface CustomerBook {
  readonly full_name: string;
  readonly policies: readonly string[];
  readonly claims: readonly string[];
}

/** A projection whose documents several streams make: those of a customer, its policies and its claims. */
export const customerBook = defineProjection<CustomerBook>({
  name: 'customer_book',
  version: 1,
  categories: ['customer', 'policy', 'claim'],
  indexNames: ['name'],
  key: ({ stream, metadata: { customer } }) =>
    categoryOf(stream) === 'customer' ? idOf(stream) : typeof customer === 'string' ? customer : undefined,
  fold: (document, recorded) => {
    const event = recorded as unknown as CustomerEvent | PolicyEvent | ClaimEvent;
    if (event.type === 'CustomerRegistered') return { full_name: event.data.fullName, policies: [], claims: [] };
    const book = requireDocument(document, recorded);
    const list = categoryOf(recorded.stream) === 'policy' ? 'policies' : 'claims';
    return { ...book, [list]: [...book[list], event.type] };
  },
  indexes: ({ full_name }) => ({ name: full_name }),
});
