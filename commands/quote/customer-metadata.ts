import { z } from 'zod';
import { day } from '../../src/domain/dates.ts';
import { emailAddress, line } from '../shared/fields.ts';

/** An address on the web. */
const webAddress = z
  .url({ protocol: /^https?$/, message: 'must be an http or https address' })
  .max(2000, 'must have at most 2000 characters');

/** Where somebody lives, as far as it is told. */
const residentialAddress = z.strictObject({
  street: line(255).optional(),
  city: line(255).optional(),
  state: line(255).optional(),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/, 'must be a country code of two letters')
    .optional(),
  house_number: line(255).optional(),
  postal_code: line(255).optional(),
});

/** `customer_metadata` of a quote request and of a purchase (specification, Quote request; `decisions`: Quotes). */
export const customerMetadata = z.strictObject({
  first_name: line(100),
  last_name: line(100),
  email: emailAddress,
  phone: line(20).optional(),
  residential_address: residentialAddress.optional(),
  date_of_birth: day.optional(),
  customer_gender: z
    .string()
    .regex(/^[A-Za-z]$/, 'must be a single letter')
    .optional(),
  occupation: line(255).optional(),
  identity_card_img: webAddress.optional(),
  utility_bill_img: webAddress.optional(),
  identity_card_number: line(255).optional(),
  identity_card_type: line(255).optional(),
  identity_card_expiry_date: day.optional(),
});
