import { z } from 'zod';
import type { Projection } from '../../projections/projection.ts';
import { decodeMetadata } from '../../src/domain/events.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import type { StoredDocument } from '../../src/read-models/read-models.ts';
import { flat } from '../lists.ts';
import type { PageAnswer, QueryContext } from '../query.ts';
import { day, moment, uuid } from '../shapes.ts';
import { type Change, changesBetween } from './changes.ts';
import { type PastStep, pastOf } from './past.ts';
import { summaryOf } from './summaries.ts';

const changeShape = z
  .strictObject({
    path: z.string().meta({ description: 'JSON Pointer (RFC 6901) into the resource as its single view shows it' }),
    before: z.unknown().optional().meta({ description: 'Left out where there was nothing' }),
    after: z.unknown().optional().meta({ description: 'Left out where there is nothing any more' }),
  })
  .meta({ id: 'Change' });

const unreadable = 'null only when this version of Surety cannot read the event';

/** One event of a history. */
export const historyEntryShape = z
  .strictObject({
    stream: z.string(),
    /** Place in the stream, from 0. */
    revision: z.int(),
    position: z.string().regex(/^\d+$/).meta({ description: 'Place in the whole log: decimal digits' }),
    event_id: uuid,
    type: z.string().meta({ description: 'Name and version of the event as it is stored' }),
    recorded_at: moment.nullable().meta({ description: `When Surety recorded it; ${unreadable}` }),
    effective_at: day.nullable().meta({ description: `The business day; ${unreadable}` }),
    actor: z
      .strictObject({ role: z.enum(['merchant', 'admin', 'auditor', 'system']), key_id: z.string().nullable() })
      .nullable()
      .meta({ description: `Who did it, by the public id of the key; ${unreadable}` }),
    command: z.string().nullable().meta({ description: unreadable }),
    command_id: z.string().nullable().meta({ description: unreadable }),
    request_id: z.string().nullable(),
    summary: z.string().meta({ description: 'One sentence for a person' }),
    changes: z.array(changeShape).meta({ description: 'What it changed, in an order in which it can be applied' }),
  })
  .meta({ id: 'HistoryEntry' });
type HistoryEntry = z.infer<typeof historyEntryShape>;

/** A resource that has a history. */
export interface HistoryOf<Document> {
  readonly projection: Projection<Document>;
  /** The resource's own stream: its events are told even when they change nothing that is shown. */
  readonly ownStream: string;
  /** What `changes` are of: the resource as this reader sees it, but for what changes with the day alone. */
  readonly view: (document: Document) => object;
}

const AT_THE_STOP =
  'The document could not take in this event and stands still here until an operator has looked at it.';
const AFTER_THE_STOP = 'The document stands still at an earlier event and does not show this one.';

/**
 * A page of the history of a document, oldest event first. Where the document stands still (it is parked), nothing is
 * hidden: the event at which it stopped and all later ones are told, without changes.
 * @throws {Refusal} `document_parked` when not even the first event could be folded
 * @throws {StoreUnavailable}
 */
export async function historyPage<Document>(
  context: QueryContext,
  history: HistoryOf<Document>,
  stored: StoredDocument,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<PageAnswer> {
  const entries: string[] = [];
  let count = 0;
  let shown: Shown | undefined;
  let onStall = false;
  for await (const step of pastOf(context, history.projection, stored)) {
    const { before, after, isStalled } = step;
    let changes: readonly Change[] = [];
    if (after !== undefined && after !== before) {
      const next: Shown = { ...history.view(after) };
      changes = changesBetween(shown, next);
      shown = next;
    }
    if (changes.length > 0 || isTold(step, history.ownStream)) {
      if (count >= offset && entries.length < limit) {
        entries.push(JSON.stringify(entryOf(step, changes, isStalled && !onStall)));
      }
      count += 1;
    }
    onStall = isStalled;
  }
  if (shown === undefined) throw new Refusal('document_parked');
  return { kind: 'page', count, limit, offset, results: flat(entries) };
}

type Shown = Readonly<Record<string, unknown>>;

/** Whether an event that changes nothing that is shown has its entry: so has all that changes what is kept. */
function isTold({ event, isStalled, before, after }: PastStep<unknown>, ownStream: string): boolean {
  return isStalled || event.stream === ownStream || JSON.stringify(before) !== JSON.stringify(after);
}

function entryOf({ event, decoded, isStalled }: PastStep<unknown>, changes: readonly Change[], stops: boolean) {
  const metadata = decodeMetadata(event);
  const sentences = [
    ...(decoded === undefined ? [] : [summaryOf(decoded)]),
    ...(isStalled ? [stops ? AT_THE_STOP : AFTER_THE_STOP] : []),
  ];
  return {
    stream: event.stream,
    revision: event.revision,
    position: event.position.toString(),
    event_id: event.id,
    type: event.type,
    recorded_at: metadata?.recordedAt ?? null,
    effective_at: decoded === undefined ? null : (decoded.data as { readonly effectiveAt: string }).effectiveAt,
    actor: metadata === undefined ? null : { role: metadata.actor.role, key_id: metadata.actor.keyId },
    command: metadata?.command.name ?? null,
    command_id: metadata?.command.id ?? null,
    request_id: metadata?.requestId ?? null,
    summary: sentences.join(' '),
    changes: [...changes],
  } satisfies HistoryEntry;
}
