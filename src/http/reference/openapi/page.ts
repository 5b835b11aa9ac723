import type { z } from 'zod';
import type { ProblemCode } from '../../api/messages/problem-types.ts';

export const TAGS = {
  Quotes: 'Prices of products on sale for one customer and one risk. A quote is valid for 30 days.',
  Products: 'Insurance products of the providers.',
  Providers: 'Insurers: the companies that carry the risk.',
  Policies: 'Purchase, read, renew and cancel policies.',
  Customers: 'Policy holders. A customer is created with the first purchase.',
  Claims: 'File claims and read their state.',
  Events: 'What happened, as CloudEvents in the order of the log.',
  Merchants: 'The companies that sell policies with Surety, and their environments.',
  'Back office': 'For the platform: all commands by name, and lists for operators. Requires a platform key.',
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

/** `{Operation.path.to.member}` in the request refers to a member of the documented response of an operation. */
export interface OperationPage {
  readonly tag: Tag;
  readonly description: string;
  readonly request?: RequestExample;
  /** Parameters whose example is not shown, because the sample data has no value for them. */
  readonly withoutExample?: readonly string[];
  /** Codes in addition to those of its kind and its path (`operations.ts`). */
  readonly codes?: readonly ProblemCode[];
  /** Codes that are answered with a page instead of a problem. */
  readonly pageCodes?: readonly ProblemCode[];
  /** Whether the response has an entity tag. Known for queries. */
  readonly tagged?: true;
  readonly otherwise?: number;
  readonly mediaType?: string;
  readonly formOnly?: true;
  /** Schema of `result`, for admin commands. */
  readonly result?: z.ZodType;
}

/** Pages by the name of the route; of admin commands by `admin/<name>`. */
export type OperationPages = Readonly<Record<string, OperationPage>>;

type UntaggedPage = Omit<OperationPage, 'tag'> & Partial<Pick<OperationPage, 'tag'>>;

/** Gives a tag to the pages that have none. */
export function pagesOf<Name extends string>(tag: Tag, pages: Readonly<Record<Name, UntaggedPage>>) {
  const entries = Object.entries<UntaggedPage>(pages).map(([name, page]) => [name, { tag, ...page }]);
  return Object.fromEntries(entries) as Readonly<Record<Name, OperationPage>>;
}

/** Page of a command of the back office, with the body of its example request. */
export type AdminPage = Omit<OperationPage, 'tag' | 'request'> & Required<Pick<RequestExample, 'body'>>;

/** Returns the pages of commands of the back office, by the names of the commands. */
export function adminPagesOf(pages: Readonly<Record<string, AdminPage>>): OperationPages {
  const entries = Object.entries(pages).map(
    ([name, { body, ...page }]) => [`admin/${name}`, { tag: 'Back office', request: { body }, ...page }] as const,
  );
  return Object.fromEntries(entries);
}
