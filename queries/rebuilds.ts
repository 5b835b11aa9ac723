import { z } from 'zod';
import { loadState } from '#domain/events.ts';
import { refusalsOf } from '#domain/refusals.ts';
import { type Rebuild, rebuilds } from '#event-sourcing/rebuilds.ts';
import { REBUILDS_STREAM } from '#event-sourcing/system-events.ts';
import { defineQuery, type QueryContext } from './query.ts';

export const rebuildSchema = z
  .strictObject({
    rebuild_id: z.uuid(),
    state: z.enum(['running', 'completed', 'superseded', 'refused']),
    reason: z.string().nullable().meta({ description: 'Why the rebuild was refused; else null' }),
    collections: z.array(z.string()),
    requested_at: z.string(),
    ended_at: z.string().nullable(),
    progress: z.strictObject({ position: z.string().nullable(), head: z.string().nullable() }).nullable().meta({
      description:
        'Positions of the last event in the new documents and of the newest event; null unless the process that answers executes the rebuild',
    }),
  })
  .meta({ id: 'Rebuild' });

type ReadContext = Pick<QueryContext, 'eventStore' | 'rebuild'>;
type RebuildResource = z.infer<typeof rebuildSchema>;

const refuse = refusalsOf('rebuild_not_found');

/** Returns the resource of a rebuild. @throws {Refusal} when there is none */
export async function rebuildResource(rebuildId: string, context: ReadContext): Promise<RebuildResource> {
  const rebuild = (await allRebuilds(context)).find((one) => one.rebuildId === rebuildId);
  if (rebuild === undefined) throw refuse('rebuild_not_found');
  return toResource(rebuild, context);
}

async function allRebuilds({ eventStore }: ReadContext): Promise<readonly Rebuild[]> {
  return (await loadState(rebuilds, REBUILDS_STREAM, eventStore)) ?? [];
}

function toResource(rebuild: Rebuild, { rebuild: current }: ReadContext): RebuildResource {
  const { rebuildId, collections, requestedAt, ended } = rebuild;
  return {
    rebuild_id: rebuildId,
    state: ended?.outcome ?? 'running',
    reason: ended?.reason ?? null,
    collections: [...collections],
    requested_at: requestedAt,
    ended_at: ended?.at ?? null,
    progress: progressOf(rebuild, current),
  };
}

function progressOf({ rebuildId, ended }: Rebuild, current: QueryContext['rebuild']): RebuildResource['progress'] {
  if (ended !== undefined || current?.rebuildId !== rebuildId) return null;
  return { position: current.position?.toString() ?? null, head: current.head?.toString() ?? null };
}

/** The most rebuilds that the list shows. */
const MAX_LISTED = 20;

export const listRebuilds = defineQuery({
  name: 'ListRebuilds',
  summary: 'Lists the last 20 rebuilds of read models, newest first.',
  description: 'The last 20 rebuilds, newest first, each as its own view.',
  errors: [],
  roles: ['admin', 'auditor'],
  readsOnlyLog: true,
  response: z.strictObject({ results: z.array(rebuildSchema) }),
  async respond(_input, context) {
    const newest = (await allRebuilds(context)).slice(-MAX_LISTED).toReversed();
    const results = newest.map((rebuild) => toResource(rebuild, context));
    return { kind: 'resource', body: JSON.stringify({ results }), etag: undefined };
  },
});

export const getRebuild = defineQuery({
  name: 'GetRebuild',
  summary: 'Returns a rebuild of read models with its progress.',
  description: 'A rebuild. `progress` is known to the process that executes it.',
  errors: refuse.codes,
  roles: ['admin', 'auditor'],
  pathParameters: z.strictObject({ rebuild_id: z.string() }),
  readsOnlyLog: true,
  response: rebuildSchema,
  async respond({ path: { rebuild_id } }, context) {
    return { kind: 'resource', body: JSON.stringify(await rebuildResource(rebuild_id, context)), etag: undefined };
  },
});
