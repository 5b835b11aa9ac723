import { modeOf } from '#domain/values/mode.ts';
import { merchantScope } from '#domain/reservations.ts';

/** The part of a document that names the merchant and the mode to which it belongs. */
interface Owned {
  /** Tenant id. */
  readonly merchant_id: string;
  readonly test_mode: boolean;
}

/** Returns the value of the index `owner`: the merchant and the mode to which a document belongs. */
export function ownerOf({ merchant_id, test_mode }: Owned): string {
  return merchantScope({ merchantId: merchant_id, testMode: test_mode });
}

/** Returns the value of the index `insurer` of a policy or claim: its insurer and its mode. */
export function insurerIndex(providerId: string, testMode: boolean): string {
  return ownedValue(providerId, modeOf(testMode));
}

/**
 * Returns the value of an index `owner_…`: the owner and another value. One index on both gives a page of a list by one
 * range of the index, however many documents match one of the two.
 */
export function ownedValue(owner: string, value: string): string {
  return `${owner} ${value}`;
}
