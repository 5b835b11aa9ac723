import { z } from 'zod';
import { day } from '#event-sourcing/time.ts';
import { emailAddress } from '#domain/values/email.ts';
import { line, lineOrEmpty } from '../shared/fields.ts';

const document = z.url({ protocol: /^https?$/, error: 'must be a URL' }).max(2048, 'must have at most 2048 characters');

/** The customer of a quote request or a purchase. The event stores it unchanged. */
export const customerMetadata = z.strictObject({
  first_name: line(100),
  last_name: lineOrEmpty(100).optional().meta({ description: 'Left out or empty for a name of one word' }),
  email: emailAddress,
  phone: line(20).optional(),
  residential_address: z
    .strictObject({
      street: line(255).optional(),
      city: line(255).optional(),
      state: line(255).optional(),
      country: z
        .string()
        .regex(/^[A-Za-z]{2}$/, 'must be a country code of two letters')
        .optional()
        .meta({ examples: ['NG'] }),
      house_number: line(255).optional(),
      postal_code: line(255).optional(),
    })
    .optional(),
  date_of_birth: day.optional(),
  customer_gender: z
    .string()
    .regex(/^[A-Za-z]$/, 'must be one letter')
    .optional()
    .meta({ examples: ['F'] }),
  occupation: line(255).optional(),
  identity_card_img: document.optional(),
  utility_bill_img: document.optional(),
  identity_card_number: line(255).optional(),
  identity_card_type: line(255)
    .optional()
    .meta({ examples: ['driver_license'] }),
  identity_card_expiry_date: day.optional(),
});
