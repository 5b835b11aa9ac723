import { z } from 'zod';
import type { Instant } from '#event-sourcing/time.ts';
import type { RawEvent } from '#event-sourcing/codec.ts';
import { type Access, type Authority, ROLES } from '#domain/values/rights.ts';
import type { OperationText } from '#domain/operation.ts';
import type { EventStore, Position } from '#stores/event-log/event-log.ts';
import type { ReadModels } from '#stores/read-models/read-models.ts';
import type { Records } from '#stores/records/records.ts';
import type { RenderCertificate } from './certificate/certificate.ts';
import type { FeedQuery } from './feed/feed.ts';
import type { Portfolio, PortfolioRequest } from './portfolio/portfolio.ts';

/**
 * The caller of a query. A merchant is bound to the mode of its environment, an insurer to what it insures; the
 * platform sees every merchant.
 */
export type Reader =
  | {
      readonly role: 'merchant';
      readonly merchantId: string;
      readonly environmentId: number;
      readonly testMode: boolean;
    }
  | { readonly role: 'insurer'; readonly providerId: string }
  | PlatformReader;
type PlatformReader = { readonly role: 'claims' | 'admin' | 'auditor' };

export function isPlatform(reader: Reader): reader is PlatformReader {
  return reader.role === 'claims' || reader.role === 'admin' || reader.role === 'auditor';
}

/** The roles of a query that insurers may ask too. */
export const EVERY_ROLE = ROLES;

/** What limits a caller besides its role. */
export interface CallerRights {
  /** Null: the key is of no person. */
  readonly person: { readonly person_id: string; readonly name: string } | null;
  readonly authority: Authority | null;
  readonly access: Access;
  readonly expiresAt: Instant | null;
}

export interface QueryContext {
  readonly reader: Reader;
  /** The key of the request. */
  readonly key: CallerRights & { readonly keyId: string | null; readonly label: string | null };
  readonly readModels: ReadModels;
  readonly records: Records;
  /** For quotes, histories and past documents, which are folded on request. */
  readonly eventStore: Pick<EventStore, 'readStream' | 'readAt' | 'lastPosition'>;
  /** Every collection with the version of its projection, the first part of an entity tag. */
  readonly collections: ReadonlyMap<string, number>;
  readonly now: Instant;
  /** Path below which the service is reached, for links; usually empty. */
  readonly basePath: string;
  /** Returns the latest time at which an event that the read models reflect was recorded. @throws {StoreUnavailable} */
  readonly latestRecordedAt: () => Promise<Instant | undefined>;
  /** Yields to the event loop when requests have held it for 5 ms; call it in loops. @throws {RequestAborted} */
  readonly nextTurn: () => Promise<void>;
  /**
   * Runs a read that folds streams of the log, some at a time.
   * @throws {Refusal} `busy` when too many of the key wait
   */
  readonly replay: <T>(read: () => Promise<T>) => Promise<T>;
  /**
   * Computes a portfolio outside the event loop of the service, one at a time, as long as the client waits for it.
   * @throws {Refusal} @throws {StoreUnavailable}
   */
  readonly runPortfolio: (request: PortfolioRequest) => Promise<Portfolio>;
  /**
   * Makes the PDF of a certificate, as `RenderCertificate` does, as long as the client waits for it.
   * @throws {Refusal}
   */
  readonly renderCertificate: (certificate: string) => ReturnType<RenderCertificate>;
  readonly publicEvents: FeedAccess;
  /** Checks again that the key of the request is valid and has a role of the query, after a wait. @throws {Refusal} */
  readonly checkKey: () => Promise<void>;
  /** The read models that this process builds beside those that are served. */
  readonly rebuild?: RebuildProgress | undefined;
}

/** What the feed of public events needs of the process. */
export interface FeedAccess {
  /**
   * Returns a public event as a CloudEvent in structured mode; undefined when it is not public.
   * @throws {UnreadableEvent}
   */
  readonly structuredEventOf: (event: RawEvent) => string | undefined;
  /** Returns the position that all read models reflect; 0 in an empty log. @throws {Refusal} while it is not known */
  readonly publishedPosition: () => Position;
  /** Refuses an answer that depends on what the read models lack. @throws {Refusal} before they have caught up once */
  readonly requireCaughtUp: () => void;
  /**
   * Starts to wait for events of a feed; undefined when too many polls are open, or the service stops. The caller must
   * call `end`.
   */
  readonly startPoll: (query: FeedQuery, timeoutMs: number) => FeedPoll | undefined;
  readonly countRefused: (reason: FeedRefusal) => void;
  /** Makes a page of a request, some at a time. @throws {Refusal} when too many of the key wait */
  readonly makePage: <T>(make: () => Promise<T>) => Promise<T>;
  /** Makes a page for a poll that has waited, however many wait: an event may end the wait of all polls at once. */
  readonly makeWokenPage: <T>(make: () => Promise<T>) => Promise<T>;
}

/** Why a page of the feed was refused, or a poll did not wait. */
export type FeedRefusal = 'cursor_unknown' | 'event_unreadable' | 'too_many_polls';

/** `woken`: there may be an event. `stopped`: the service stops. */
export type PollOutcome = 'woken' | 'timed_out' | 'stopped';

export interface FeedPoll {
  /**
   * Waits for an event after a published position.
   * @throws {RequestAborted} when the client has closed the connection
   */
  readonly waitAfter: (position: Position) => Promise<PollOutcome>;
  readonly end: () => void;
}

/** A page of the feed. */
export interface FeedResponse {
  readonly kind: 'feed';
  /** JSON texts. */
  readonly events: readonly string[];
  /** The parameters of the next page. */
  readonly next: Readonly<Record<string, string>>;
  /** The published position. */
  readonly position: Position;
  /** In seconds, where the response did not wait. */
  readonly retryAfter?: number;
}

/** Positions in the log: undefined where none is known. */
interface RebuildProgress {
  readonly number: number;
  readonly damage: string | undefined;
  readonly position: bigint | undefined;
  readonly head: bigint | undefined;
}

/** A body that is too large for memory, and is produced while it is sent. */
export interface BodyStream {
  /** In bytes, where it is known. */
  readonly length?: number;
  /** Starts the body. An error before the first chunk can still be answered. */
  readonly chunks: () => AsyncIterable<string | Uint8Array>;
}

export interface ResourceResponse {
  readonly kind: 'resource';
  /** JSON text. */
  readonly body: string | BodyStream;
  /**
   * `"<projection version>-<revision>"`, with a third part where the view depends on more than its stream. Undefined
   * for a point in time, and without a projection: the HTTP layer then computes the tag from the body.
   */
  readonly etag: string | undefined;
  /**
   * A text that differs whenever the body differs. Set where the body is a stream without a tag: the tag is its hash.
   */
  readonly identity?: string;
  /** Of a search: whether it has not read all that may match. */
  readonly isIncomplete?: boolean;
}

export interface BlobResponse {
  readonly kind: 'blob';
  /** Under which a client saves it. */
  readonly fileName: string;
  readonly contentType: string;
  readonly etag: string;
  /** Not called when the client has the bytes. @throws {Refusal} */
  readonly load: () => Promise<BodyStream | Uint8Array>;
}

/** A page of a list. The HTTP layer adds `next` and `previous`. */
export interface PageResponse {
  readonly kind: 'page';
  readonly count: number;
  readonly limit: number;
  readonly offset: number;
  /**
   * Cursors of the first and the last result, for `previous` and `next`; undefined for an empty page and a list without
   * cursors.
   */
  readonly cursors?: { readonly first: string; readonly last: string } | undefined;
  /** Whether items follow the page; undefined without the cursor `after`: the count then decides. */
  readonly hasMore?: boolean | undefined;
  /** JSON text of the array `results`. */
  readonly results: string;
}

/** A page of a list without a count. The HTTP layer makes `next` of the cursor. */
export interface CursorPageResponse {
  readonly kind: 'cursor_page';
  readonly limit: number;
  /** Cursor of the next page; null on the last one. */
  readonly next: string | null;
  /** JSON text of the array `results`. */
  readonly results: string;
}

export interface DownloadRow {
  readonly item: object;
  /** In the order of the headings. */
  readonly cells: readonly (string | number | null)[];
}

type WithoutPaging<Search> = Omit<Search, 'limit' | 'offset' | 'after'>;

interface ListDownload<Path extends z.ZodType, Search extends z.ZodType> {
  /** The parameters of the list without those of its pages. */
  readonly search: z.ZodType<WithoutPaging<z.output<Search>>>;
  readonly headings: readonly string[];
  /** @throws {Refusal} */
  rows(
    input: { readonly path: z.output<Path>; readonly search: WithoutPaging<z.output<Search>> },
    context: QueryContext,
  ): Promise<AsyncIterable<DownloadRow>>;
}

/**
 * Parameters of an example request besides those of the path, whose schemas have examples. It succeeds on the sample
 * data, whose ids are the same at every start.
 */
interface QueryExample<Search extends z.ZodType> {
  /** Query parameters, or the body of a query that takes one. */
  readonly search?: Partial<Record<keyof z.input<Search>, z.core.util.JSONType>>;
}

export interface QueryDefinition<Path extends z.ZodType = z.ZodType, Search extends z.ZodType = z.ZodType>
  extends OperationText {
  readonly name: string;
  readonly summary: string;
  readonly roles: readonly Reader['role'][];
  /** The path parameters as texts. A malformed id gives 404, like one that does not exist. */
  readonly pathParameters: Path;
  /** The query parameters as strings. Strict, so that unknown parameters are refused by name. */
  readonly search: Search;
  readonly paged?: true;
  /** Whether the page contains `limit` and `offset` besides `results`, as histories do. */
  readonly showsPaging?: true;
  /** Whether the pages follow each other by a cursor: `{next, results}`. */
  readonly byCursor?: true;
  /** Whether the response is a page of the feed: an array, with its cursor and position in headers. */
  readonly isFeed?: true;
  readonly download?: ListDownload<Path, Search>;
  /** Set when the response is computed from the event log alone, and so also while the read models are built. */
  readonly readsOnlyLog?: true;
  readonly example?: QueryExample<Search>;
  /** Schema of the response body; of a page, that of `results`. */
  readonly response: z.ZodType;
  /** @throws {Refusal} */
  respond(
    input: { readonly path: z.output<Path>; readonly search: z.output<Search> },
    context: QueryContext,
  ): Promise<ResourceResponse | BlobResponse | PageResponse | CursorPageResponse | FeedResponse>;
}

const none = z.strictObject({});

type Defaults = 'roles' | 'pathParameters' | 'search';

/**
 * Declares a query; the type parameters follow from the schemas. Default: for merchants and the platform, without
 * parameters.
 */
export function defineQuery<Path extends z.ZodType = typeof none, Search extends z.ZodType = typeof none>(
  definition: Omit<QueryDefinition<Path, Search>, Defaults> & Partial<Pick<QueryDefinition<Path, Search>, Defaults>>,
): QueryDefinition<Path, Search> {
  const roles = ['merchant', 'claims', 'admin', 'auditor'] as const;
  return { roles, pathParameters: none as unknown as Path, search: none as unknown as Search, ...definition };
}

export type AnyQuery = QueryDefinition;
