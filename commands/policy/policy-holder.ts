import type { QuotedCustomer } from '../../src/domain/quote/quote.ts';
import type { CustomerDetails } from '../customer/customer-by-email.ts';

/** The policy holder as `customer_metadata` tells of them. */
export function holderOf(told: QuotedCustomer): CustomerDetails {
  return {
    reference: null,
    fullName: `${told.first_name} ${told.last_name}`,
    email: told.email,
    phone: told.phone ?? null,
    dateOfBirth: told.date_of_birth ?? null,
    address: addressOf(told.residential_address),
  };
}

/** `12 Marina Road, Lagos, LA, 101241, NG`; null when nothing of it is known. */
function addressOf(told: QuotedCustomer['residential_address']): string | null {
  const { house_number: house, street, city, state, postal_code: postalCode, country } = told ?? {};
  const houseAndStreet = [house, street].filter(Boolean).join(' ');
  return [houseAndStreet, city, state, postalCode, country].filter(Boolean).join(', ') || null;
}
