import type { z } from 'zod';

/** Marks a field as personal data of a person. Nothing depends on the mark yet. */
export function personal<Schema extends z.ZodType>(
  schema: Schema,
  person: 'customer' | 'claimant' | 'beneficiary' | 'merchant',
): Schema {
  return schema.meta({ personal: person });
}
