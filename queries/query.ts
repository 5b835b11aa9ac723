import type { z } from 'zod';
import type { Day, Moment } from '../src/event-sourcing/time.ts';
import type { EventStore } from '../src/event-store/event-store.ts';
import type { ReadModels } from '../src/read-models/read-models.ts';
import type { Records } from '../src/records/records.ts';

/** Who asks. A merchant is bound to its environment's world; the platform sees every merchant. */
export type Reader =
  | {
      readonly role: 'merchant';
      readonly merchantId: string;
      readonly environmentId: number;
      readonly testMode: boolean;
    }
  | { readonly role: 'admin' | 'auditor' };

export interface QueryContext {
  readonly reader: Reader;
  readonly readModels: ReadModels;
  readonly records: Records;
  /** For what is folded when it is asked: quotes, histories, documents as they once were. */
  readonly eventStore: Pick<EventStore, 'readStream' | 'lastPosition'>;
  /** Every collection with the version of its projection: first part of an entity tag. */
  readonly collections: ReadonlyMap<string, number>;
  readonly now: Moment;
  /** The present UTC day. */
  readonly today: Day;
  /** Resolves once whatever else waits in this process had its turn: for work as long as a document's past. */
  readonly nextTurn: () => Promise<void>;
}

/** A resource, ready to be sent. */
export interface ResourceAnswer {
  readonly kind: 'resource';
  /** JSON text. */
  readonly body: string;
  /**
   * `"<projection version>-<revision>"` where one stream makes the document; undefined where several do, or where the
   * answer depends on the day or on who asks: the transport then makes it from the body.
   */
  readonly etag: string | undefined;
}

/** A page of a list: the transport adds `count`, `next` and `previous`. */
export interface PageAnswer {
  readonly kind: 'page';
  readonly count: number;
  readonly limit: number;
  readonly offset: number;
  /** JSON text of the array that `results` is. */
  readonly results: string;
}

/** A question of the read side. Its router in `src/http/routers` gives it a path. */
export interface QueryDefinition<Path extends z.ZodType = z.ZodType, Search extends z.ZodType = z.ZodType> {
  readonly name: string;
  /** One sentence for the reference. */
  readonly summary: string;
  readonly roles: readonly Reader['role'][];
  /** The path parameters as texts. A text that cannot name anything is not found, like one that names nothing. */
  readonly pathParameters: Path;
  /** The query string as strings; strict, so an unknown parameter is named. */
  readonly search: Search;
  /** Whether the answer is a page of a list. */
  readonly paged: boolean;
  /** Whether the page repeats `limit` and `offset` beside `results`: histories do. */
  readonly showsPaging?: true;
  /** Shape of the whole answer's body (of `results`, for a page). */
  readonly response: z.ZodType;
  /** @throws {Refusal} */
  answer(
    input: { readonly path: z.output<Path>; readonly search: z.output<Search> },
    context: QueryContext,
  ): Promise<ResourceAnswer | PageAnswer>;
}

/** Declares a query; the type parameters follow from the schemas. */
export function defineQuery<Path extends z.ZodType, Search extends z.ZodType>(
  definition: QueryDefinition<Path, Search>,
): QueryDefinition<Path, Search> {
  return definition;
}

/** Any query. */
export type AnyQuery = QueryDefinition<z.ZodType, z.ZodType>;
