import type { z } from 'zod';

/** Returns the name of a field in the API: `taxIdentificationNumber` → `tax_identification_number`. */
export function apiName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns a function that picks the members that a schema of an object has; what is left out stays left out. */
export function pickerOf<Schema extends z.ZodObject>(
  schema: Schema,
): (value: Readonly<z.infer<Schema>>) => Readonly<z.infer<Schema>> {
  const names = Object.keys(schema.shape);
  return (value) => {
    // A loop, because commands fold the first event of a policy again and again.
    const picked: Record<string, unknown> = {};
    for (const name of names) if (value[name] !== undefined) picked[name] = value[name];
    return picked as z.infer<Schema>;
  };
}

/** Marks a field as personal data of a person. Nothing depends on the mark yet. */
export function personal<Schema extends z.ZodType>(
  schema: Schema,
  person: 'customer' | 'claimant' | 'beneficiary' | 'merchant' | 'person',
): Schema {
  return schema.meta({ personal: person });
}
