import type { z } from 'zod';
import type { MerchantDetails } from '#domain/merchant/merchant.ts';
import { emailAddress } from '#domain/values/email.ts';
import { line, postalAddress } from '../shared/fields.ts';

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

export function merchantDetails(fields: MerchantFields): {
  readonly [Key in keyof MerchantDetails]: MerchantDetails[Key] | undefined;
} {
  return {
    name: fields.name,
    businessEmail: fields.business_email,
    supportEmail: fields.support_email,
    address: fields.address,
    taxIdentificationNumber: fields.tax_identification_number,
    registrationNumber: fields.registration_number,
  };
}
