import type { z } from 'zod';
import type { RefusalCode } from '../../domain/refusals.ts';

/** The chapters of the reference, in their order. */
export const TAGS = {
  Quotes: 'Prices of live products for one customer and one risk. A quote can be bought for 30 days.',
  Products: 'What insurers offer.',
  Providers: 'Insurers: the companies that carry the risk.',
  Policies: 'What was bought: reading, renewing, cancelling.',
  Customers: 'The people who hold policies. One is made at the first purchase.',
  Claims: 'What happened, what is asked for, and where that stands.',
  Merchants: 'The companies that sell policies with Surety, and their environments.',
  'Back office':
    'For the platform: every command by its name, and what needs an operator. It needs a key of the platform.',
  Service: 'Health, metrics and this reference. No key is needed, and no data is shown.',
} as const;
export type Tag = keyof typeof TAGS;

export type Json = z.core.util.JSONType;

/** An example of a request. A text `{Operation.path.to.member}` stands for that member of the documented answer of an operation. */
export interface RequestExample {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: Json;
}

/** What the reference tells of an operation besides what the route itself knows. */
export interface OperationPage {
  readonly tag: Tag;
  /** Markdown. What it does beyond its summary, and every choice that an integrator cannot guess. */
  readonly description: string;
  readonly request?: RequestExample;
  /** The refusals of its own, besides those that follow from what kind of operation it is. */
  readonly codes?: readonly RefusalCode[];
  /** Refusals that are answered with a page instead of a problem. */
  readonly pageCodes?: readonly RefusalCode[];
  /** `If-Match` is compared with the revision of what it changes. */
  readonly ifMatch?: true;
  /** The answer has an entity tag; of queries, that is known. */
  readonly tagged?: true;
  /** A second status that the same answer can have. */
  readonly otherwise?: number;
  /** Of the answer, where it is not JSON. */
  readonly mediaType?: string;
  /** Of the request, where it is a form of a page. */
  readonly formOnly?: true;
  /** For commands of the back office: the shape of `result`. */
  readonly result?: z.ZodType;
}

/** Pages by the name of the route; of back-office commands by `admin/<name>`. */
export type OperationPages = Readonly<Record<string, OperationPage>>;
