import type { z } from 'zod';
import type { MerchantDetails } from '../../src/domain/merchant/merchant.ts';
import { emailAddress, line, postalAddress } from '../shared/fields.ts';

/** What a merchant tells about itself (specification, Merchant and Limits). */
export const merchantFields = {
  name: line(255),
  business_email: emailAddress,
  support_email: emailAddress.nullable().optional(),
  address: postalAddress.nullable().optional(),
  tax_identification_number: line(40).nullable().optional(),
  registration_number: line(40).nullable().optional(),
};

type MerchantFields = {
  readonly [Name in keyof typeof merchantFields]?: z.output<(typeof merchantFields)[Name]> | undefined;
};

/** The fields by their names in events; what was not given is undefined. */
export function merchantDetails(given: MerchantFields): {
  readonly [Key in keyof MerchantDetails]: MerchantDetails[Key] | undefined;
} {
  return {
    name: given.name,
    businessEmail: given.business_email,
    supportEmail: given.support_email,
    address: given.address,
    taxIdentificationNumber: given.tax_identification_number,
    registrationNumber: given.registration_number,
  };
}
