import { normalise } from '#event-sourcing/identifiers.ts';
import type { ChangeableDetails, CustomerEvent, CustomerState } from '#domain/customer/customer.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { ownedValue, ownerOf } from '../owner.ts';
import { defineProjection, requireDocument } from '../projection.ts';
import type { CustomerResource } from './customer-resource.ts';

export interface CustomerDocument extends CustomerResource {
  /** Tenant id. */
  readonly merchant_id: string;
  readonly environment_id: number;
}

/**
 * Customers by id, folded from their own streams. The indexes `owner_…` hold e-mail and reference normalised, as their
 * reservations do.
 */
export const customers = defineProjection<CustomerDocument>({
  name: 'customers',
  version: 1,
  categories: ['customer'],
  indexNames: ['owner', 'owner_email', 'owner_reference'],
  fold: (document, event) => foldCustomer(document, event as RecordedEvent<CustomerEvent>),
  indexes: (document) => {
    const owner = ownerOf(document);
    const { customer_email: email, customer_reference: reference } = document;
    return {
      owner,
      owner_email: ownedValue(owner, normalise(email)),
      owner_reference: reference === null ? null : ownedValue(owner, normalise(reference)),
    };
  },
});

export function customerDetails(document: CustomerDocument): CustomerResource {
  const { merchant_id: _, environment_id: __, ...details } = document;
  return details;
}

/** Returns the document of a customer with these details. */
export function customerDocument(customer: CustomerState): CustomerDocument {
  return {
    customer_id: customer.customerId,
    merchant_id: customer.merchantId,
    environment_id: customer.environmentId,
    customer_reference: customer.reference,
    full_name: customer.fullName,
    customer_email: customer.email,
    customer_phone: customer.phone,
    date_of_birth: customer.dateOfBirth,
    address: customer.address,
    merchant_short_code: customer.merchantShortCode,
    test_mode: customer.testMode,
  };
}

/** Folds an event into a customer. @throws {FoldError} */
function foldCustomer(document: CustomerDocument | undefined, event: RecordedEvent<CustomerEvent>): CustomerDocument {
  if (event.type === 'CustomerRegistered') return customerDocument(event.data);
  return { ...requireDocument(document, event), ...changedFields(event.data.changes) };
}

function changedFields(
  changes: { readonly [Field in keyof ChangeableDetails]?: ChangeableDetails[Field] | undefined },
) {
  const { reference, fullName, email, phone, dateOfBirth, address } = changes;
  return {
    ...(reference === undefined ? {} : { customer_reference: reference }),
    ...(email === undefined ? {} : { customer_email: email }),
    ...(fullName === undefined ? {} : { full_name: fullName }),
    ...(phone === undefined ? {} : { customer_phone: phone }),
    ...(dateOfBirth === undefined ? {} : { date_of_birth: dateOfBirth }),
    ...(address === undefined ? {} : { address }),
  };
}
