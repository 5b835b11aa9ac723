import type { z } from 'zod';

/** Returns a function that picks the members that a schema of an object has; what is left out stays left out. */
export function pickerOf<Schema extends z.ZodObject>(
  schema: Schema,
): (value: Readonly<z.infer<Schema>>) => Readonly<z.infer<Schema>> {
  const names = Object.keys(schema.shape);
  return (value) => {
    const present = names.filter((name) => Object.hasOwn(value, name));
    return Object.fromEntries(present.map((name) => [name, value[name]])) as z.infer<Schema>;
  };
}
