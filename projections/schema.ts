import type { z } from 'zod';

type DeepReadonly<Value> = Value extends object ? { readonly [Name in keyof Value]: DeepReadonly<Value[Name]> } : Value;

export type ResourceOf<Schema extends z.ZodType> = DeepReadonly<z.infer<Schema>>;
