import { z } from 'zod';
import { PRODUCT_TYPES } from '#domain/product/product.ts';
import { normalise } from '#event-sourcing/identifiers.ts';

export const uuidText = z.string().meta({ format: 'uuid' });

export const merchantPath = z.strictObject({
  short_code: z.string().meta({ description: "The merchant's short code", examples: ['ACM-20E3'] }),
});
export const environmentPath = z.strictObject({
  id: z.string().meta({ description: 'The number of the environment', type: 'integer', examples: [1] }),
});
export const policyPath = z.strictObject({
  policy_id: z
    .string()
    .meta({ description: 'The policy id, or the policy number', examples: ['c530ddb5-2b6b-5b7a-ae28-8fa4b289d210'] }),
});
export const customerPath = z.strictObject({
  id: uuidText.meta({ format: 'uuid', examples: ['b88fa058-22c9-51f7-9ea9-cdfcc300d50a'] }),
});
export const claimPath = z.strictObject({
  id: z
    .string()
    .meta({ description: 'The claim id, or the reference number', examples: ['579db168-a144-5897-b695-4d855516fa73'] }),
});
/** The parameter that distinguishes policies or claims of several merchants with the same number. */
export const environmentChoice = {
  environment_id: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'must be the number of an environment')
    .transform(Number)
    .optional()
    .meta({
      description:
        'Only what belongs to this environment: distinguishes policy numbers and claim references that several merchants use',
    }),
};
export const productTypeChoice = z.enum(PRODUCT_TYPES, `must be one of: ${PRODUCT_TYPES.join(', ')}`).optional();
/** A text that identifies what is listed, compared without case: a policy number, the reference of a customer. */
export const textFilter = z
  .string()
  .trim()
  .min(1, 'must not be blank')
  .max(255, 'must have at most 255 characters')
  .transform(normalise)
  .optional();
export const idFilter = z.uuid('must be a UUID').toLowerCase().optional();
