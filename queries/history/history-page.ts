import { z } from 'zod';
import type { Projection } from '#projections/projection.ts';
import { ClaimAssigned } from '#domain/claim/claim-events.ts';
import { decodeMetadata, EVENT_DEFINITIONS } from '#domain/events.ts';
import { refusalsOf } from '#domain/refusals.ts';
import { type Actor, actorSchema, type RecordedEvent } from '#event-sourcing/event.ts';
import { day, instant } from '#event-sourcing/time.ts';
import type { StoredEvent } from '#stores/event-log/event-log.ts';
import type { StoredDocument } from '#stores/read-models/read-models.ts';
import { ActorLabels, showsRoleAlone } from '../actor-labels.ts';
import { jsonArray } from '../lists.ts';
import type { DownloadRow, PageResponse, QueryContext, Reader } from '../query.ts';
import { type Change, changesBetween, changeSchema } from './changes.ts';
import { type HistoryStep, replayHistory } from './document-history.ts';
import { summaryOf } from './summaries.ts';
import { apiName } from '#domain/values/fields.ts';

const refuse = refusalsOf('document_parked');

/** What reading a history throws. */
export const HISTORY_ERRORS = refuse.codes;

const unreadable = 'null only when this version of Surety cannot read the event';

export const historyEntrySchema = z
  .strictObject({
    stream: z.string(),
    /** From 0. */
    revision: z.int(),
    position: z.string().regex(/^\d+$/).meta({ description: 'Position in the log: decimal digits' }),
    event_id: z.uuid(),
    type: z.string().meta({ description: 'Name and version of the event as it is stored' }),
    recorded_at: instant.nullable().meta({ description: `When Surety recorded it; ${unreadable}` }),
    effective_at: day.nullable().meta({ description: `The business day; ${unreadable}` }),
    actor: z
      .strictObject({
        role: actorSchema.shape.role,
        key_id: z.string().nullable(),
        person_id: z.string().nullable().meta({ description: 'The person whose key it is' }),
        label: z
          .string()
          .nullable()
          .meta({ description: 'Name of the person as it is now, else the label of the key; of a process its name' }),
      })
      .nullable()
      .meta({
        description: `Who did it, by the public id of the key. A merchant reads the role alone of who is not of a merchant; ${unreadable}`,
      }),
    command: z.string().nullable().meta({ description: unreadable }),
    command_id: z.string().nullable().meta({ description: unreadable }),
    request_id: z.string().nullable(),
    summary: z.string().meta({ description: 'One sentence for a person' }),
    data: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({
        description: `The fields of the event as recorded (\`/docs/events\`, here in snake case); a document by the SHA-256 of its content; ${unreadable}`,
      }),
    changes: z
      .array(changeSchema)
      .meta({ description: 'Changes of the resource, in an order in which they can be applied' }),
  })
  .meta({ id: 'HistoryEntry' });
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

export interface HistorySource<Document> {
  readonly projection: Projection<Document>;
  /**
   * Returns the resource as the reader sees it on the day on which the event was recorded; `labels` has the names of
   * all who acted up to the event. `changes` are the
   * differences from the resource after the previous event, so that applied in order they give the resource of the day
   * of the last event.
   */
  readonly toResource: (document: Document, event: StoredEvent, labels: ActorLabels) => object | Promise<object>;
}

const PARKED_AT_THIS_EVENT =
  'The document could not take in this event and is parked here until an operator has looked at it.';
const PARKED_BEFORE = 'The document is parked at an earlier event and does not show this one.';

/** One entry of a history, which is only made when it is on the page. */
export type LazyEntry = () => HistoryEntry;

/**
 * Yields the history of a document, oldest event first, with an entry for every event. If the document is parked, the
 * event at which it was parked and all later ones have entries without changes.
 * @throws {Refusal} when not even the first event could be folded
 * @throws {StoreUnavailable}
 */
export async function* historyOf<Document>(
  context: QueryContext,
  source: HistorySource<Document>,
  stored: StoredDocument,
): AsyncGenerator<LazyEntry> {
  let hasResource = false;
  let wasParked = false;
  const labels = new ActorLabels(context);
  const changesOf = changeTracker(source, labels);
  for await (const step of replayHistory(context, source.projection, stored)) {
    const changes = await changesOf(step);
    const parksHere = step.isParked && !wasParked;
    wasParked = step.isParked;
    if (step.after !== undefined) hasResource = true;
    if (wasParked && !hasResource) throw refuse('document_parked');
    yield () => entryOf(context.reader, step, { changes, parksHere, labels });
  }
}

/** Returns a page of a history, which is read to its end for the count. */
export async function historyPageOf(
  entries: AsyncIterable<LazyEntry>,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<PageResponse> {
  const page: string[] = [];
  let count = 0;
  for await (const entry of entries) {
    if (count >= offset && page.length < limit) page.push(JSON.stringify(entry()));
    count += 1;
  }
  return { kind: 'page', count, limit, offset, results: jsonArray(page) };
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Returns a function that reads the name of who acted, and returns what the event changed. */
export function changeTracker<Document>(
  { toResource }: Pick<HistorySource<Document>, 'toResource'>,
  labels: ActorLabels,
): (step: HistoryStep<Document>) => Promise<readonly Change[]> {
  let resource: JsonObject | undefined;
  return async ({ before, after, event }) => {
    const { actor } = (event.metadata ?? {}) as { readonly actor?: Partial<Actor> };
    await labels.read(actor === undefined ? [] : [actor]);
    if (after === undefined || after === before) return [];
    const next: JsonObject = { ...(await toResource(after, event, labels)) };
    const changes = changesBetween(resource, next);
    resource = next;
    return changes;
  };
}

interface EntryDetails {
  readonly changes: readonly Change[];
  /** The document is parked at this event, not at an earlier one. */
  readonly parksHere: boolean;
  readonly labels: ActorLabels;
}

/** Returns the entry of an event. */
export function entryOf(
  reader: Reader,
  { event, decoded, isParked }: HistoryStep<unknown>,
  { changes, parksHere, labels }: EntryDetails,
): HistoryEntry {
  const metadata = decodeMetadata(event);
  const sentences = [
    ...(decoded === undefined ? [] : [summaryOf(decoded)]),
    ...(isParked ? [parksHere ? PARKED_AT_THIS_EVENT : PARKED_BEFORE] : []),
  ];
  return {
    stream: event.stream,
    revision: event.revision,
    position: event.position.toString(),
    event_id: event.id,
    type: event.type,
    recorded_at: metadata?.recordedAt ?? null,
    effective_at: decoded === undefined ? null : (decoded.data as { readonly effectiveAt: string }).effectiveAt,
    actor: metadata === undefined ? null : actorOf(metadata.actor, reader, labels),
    command: metadata?.command.name ?? null,
    command_id: metadata?.command.id ?? null,
    request_id: metadata?.requestId ?? null,
    summary: sentences.join(' '),
    data: decoded === undefined ? null : dataFor(reader, decoded),
    changes: [...changes],
  } satisfies HistoryEntry;
}

/** A merchant learns of keys and persons of the platform and of insurers their role alone. */
function actorOf(actor: Actor, reader: Reader, labels: ActorLabels): HistoryEntry['actor'] {
  const { role, keyId, personId } = actor;
  if (showsRoleAlone(reader, actor)) return { role, key_id: null, person_id: null, label: null };
  return { role, key_id: keyId, person_id: personId ?? null, label: labels.labelOf(actor) };
}

type Cell = (entry: HistoryEntry) => string | number | null;

const COLUMNS: Readonly<Record<string, Cell>> = {
  stream: ({ stream }) => stream,
  revision: ({ revision }) => revision,
  position: ({ position }) => position,
  event_id: ({ event_id }) => event_id,
  type: ({ type }) => type,
  recorded_at: ({ recorded_at }) => recorded_at,
  effective_at: ({ effective_at }) => effective_at,
  actor_role: ({ actor }) => actor?.role ?? null,
  actor_key_id: ({ actor }) => actor?.key_id ?? null,
  actor_person_id: ({ actor }) => actor?.person_id ?? null,
  actor_label: ({ actor }) => actor?.label ?? null,
  command: ({ command }) => command,
  command_id: ({ command_id }) => command_id,
  request_id: ({ request_id }) => request_id,
  summary: ({ summary }) => summary,
  data: ({ data }) => data && JSON.stringify(data),
  changes: ({ changes }) => JSON.stringify(changes),
};

export const HISTORY_HEADINGS: readonly string[] = Object.keys(COLUMNS);

/** Returns the row of an entry. @param more values of further columns */
export function downloadRow(entry: HistoryEntry, ...more: readonly string[]): DownloadRow {
  return { item: entry, cells: [...Object.values(COLUMNS).map((cell) => cell(entry)), ...more] };
}

export async function* downloadRows(history: AsyncIterable<LazyEntry>): AsyncGenerator<DownloadRow> {
  for await (const entry of history) yield downloadRow(entry());
}

export const AS_DOWNLOAD =
  '`Accept: text/csv` or `application/x-ndjson` downloads it whole, without `limit` and `offset`.';

/** Returns the description of the history of a resource. */
export function describeHistory(resource: string): string {
  return `Every change of the ${resource}, oldest first: the actor and the command, the time of recording and the business day, a
summary, and the changed fields of the ${resource} in this API. \`path\` is a JSON Pointer; \`before\` or \`after\` is omitted if there was no value.
The changes of all entries, applied in order, give the ${resource} of the day of the last event; what the day alone changes, such as the shown term of a policy, has no entry. Documents appear as their SHA-256. ${AS_DOWNLOAD}`;
}

const SCHEMAS: ReadonlyMap<string, z.ZodType> = new Map(
  [...EVENT_DEFINITIONS.values()]
    .filter(({ upcast }) => upcast === undefined)
    .map(({ type, schema }) => [type, schema.omit({ effectiveAt: true })]),
);

/** A merchant does not learn who works a claim. */
function dataFor({ role }: Reader, event: RecordedEvent): Readonly<Record<string, unknown>> {
  const data = dataOf(event);
  return role === 'merchant' && event.type === ClaimAssigned.type ? { ...data, assignee: null } : data;
}

/**
 * Returns the data of an event in the spelling of the API, without the business day. JSON that a client sent stays as
 * it is.
 */
export function dataOf({ type, data }: RecordedEvent): Readonly<Record<string, unknown>> {
  const schema = SCHEMAS.get(type);
  if (schema === undefined) throw new Error(`there is no event ${type}`);
  return renameMembers(schema, data) as Record<string, unknown>;
}

/** Only the members that a schema names are renamed. */
function renameMembers(schema: z.core.$ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return renameMembers(schema.unwrap(), value);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((one) => renameMembers(schema.element, one));
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return value;
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const inner = shape[name];
    return inner === undefined ? [] : [[apiName(name), renameMembers(inner, member)] as const];
  });
  return Object.fromEntries(members);
}
