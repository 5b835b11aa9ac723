import type { z } from 'zod';

export const TAGS = {
  Quotes: 'Prices of products on sale for one customer and one risk. A quote is valid for 30 days.',
  Products: 'Insurance products of the providers.',
  Providers: 'Insurers: the companies that carry the risk.',
  Policies: 'Purchase, read, renew and cancel policies.',
  Customers: 'Policy holders. A customer is created with the first purchase.',
  Claims: 'File claims and read their state.',
  Events: 'What happened, as CloudEvents in the order of the log.',
  Merchants: 'The companies that sell policies with Surety, and their environments.',
  Platform: 'All commands by name, and lists for operators. Requires a platform key.',
  Service: 'Health, metrics and this reference. Requires no key and shows no business data.',
} as const;
export type Tag = keyof typeof TAGS;

export type Json = z.core.util.JSONType;

export interface RequestExample {
  readonly path?: Readonly<Record<string, Json>> | undefined;
  readonly query?: Readonly<Record<string, Json>> | undefined;
  readonly body?: Json | undefined;
  /** Values of the fields of a form with files. */
  readonly form?: Json;
}
