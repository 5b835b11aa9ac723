import {
  type ChangeableDetails,
  type CustomerEvent,
  type CustomerState,
  CustomerUpdated,
} from '#domain/customer/customer.ts';
import type { Day } from '#event-sourcing/time.ts';
import type { NewEvent } from '#event-sourcing/event.ts';
import { differences } from '../shared/changes.ts';

/**
 * Returns what the details given with a later purchase change: phone and address that were given and differ, the date
 * of birth only while it is unknown. The name of a customer is always known.
 */
export function changesOfPurchase(
  state: CustomerState,
  { phone, address, dateOfBirth }: Pick<CustomerState, 'phone' | 'address' | 'dateOfBirth'>,
): Partial<ChangeableDetails> {
  return differences<ChangeableDetails>(state, {
    phone: phone ?? undefined,
    address: address ?? undefined,
    dateOfBirth: state.dateOfBirth ?? dateOfBirth ?? undefined,
  });
}

export function customerUpdated(
  { customerId, merchantId, environmentId, testMode }: CustomerState,
  changes: Partial<ChangeableDetails>,
  effectiveAt: Day,
): readonly NewEvent<CustomerEvent>[] {
  if (Object.keys(changes).length === 0) return [];
  const data = { customerId, merchantId, environmentId, testMode, changes, effectiveAt };
  return [{ type: CustomerUpdated.type, data }];
}
