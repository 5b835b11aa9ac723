import type { z } from 'zod';

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
