import { emailAddress, line, postalAddress } from '../shared/fields.ts';

/** What is told of a provider (`decisions`: Providers). */
export const providerFields = {
  name: line(80),
  support_email: emailAddress,
  support_phone: line(20),
  address: postalAddress.nullable().optional(),
};
