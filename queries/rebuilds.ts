import { z } from 'zod';
import { loadState } from '#domain/events.ts';
import { refusalsOf } from '#domain/refusals.ts';
import { type Rebuild, rebuilds } from '#event-sourcing/rebuilds.ts';
import { REBUILDS_STREAM } from '#event-sourcing/system-events.ts';
import type { GenerationsState } from '#stores/read-models/read-models.ts';
import { defineQuery, type QueryContext } from './query.ts';

export const rebuildSchema = z
  .strictObject({
    rebuild_id: z.uuid(),
    state: z.enum(['running', 'completed', 'refused']),
    reason: z.string().nullable().meta({
      description: 'Why the rebuild was refused, or, while it runs, why it needs the log to be restored; else null',
    }),
    requested_at: z.string(),
    progress: z.strictObject({ position: z.string().nullable(), head: z.string().nullable() }).nullable().meta({
      description:
        'Positions of the last event in the new documents and of the newest event; null unless the process that answers executes the rebuild',
    }),
  })
  .meta({ id: 'Rebuild' });

type ReadContext = Pick<QueryContext, 'eventStore' | 'rebuild'> & {
  readonly readModels: Pick<QueryContext['readModels'], 'state'>;
};
type RebuildResource = z.infer<typeof rebuildSchema>;

const refuse = refusalsOf('rebuild_not_found');

/** Returns the resource of a rebuild. @throws {Refusal} when there is none */
export async function rebuildResource(rebuildId: string, context: ReadContext): Promise<RebuildResource> {
  const rebuild = (await allRebuilds(context)).find((one) => one.rebuildId === rebuildId);
  if (rebuild === undefined) throw refuse('rebuild_not_found');
  return toResource(rebuild, await context.readModels.state(), context);
}

async function allRebuilds({ eventStore }: ReadContext): Promise<readonly Rebuild[]> {
  return (await loadState(rebuilds, REBUILDS_STREAM, eventStore)) ?? [];
}

function toResource(
  { rebuildId, number, requestedAt }: Rebuild,
  generations: GenerationsState,
  { rebuild: current }: ReadContext,
): RebuildResource {
  const { served = -1 } = generations;
  const refusal = refusalOf(number, generations);
  const state = refusal !== undefined ? 'refused' : number <= served ? 'completed' : 'running';
  const running = state === 'running' && current?.number === number ? current : undefined;
  const progress = running && {
    position: running.position?.toString() ?? null,
    head: running.head?.toString() ?? null,
  };
  return {
    rebuild_id: rebuildId,
    state,
    reason: refusal ?? running?.damage ?? null,
    requested_at: requestedAt,
    progress: progress ?? null,
  };
}

/** Returns why a rebuild was refused: one that a later request gave up ends with the next that is refused or served. */
function refusalOf(number: number, { served = -1, refused }: GenerationsState): string | undefined {
  if (number <= served) return refused.get(number);
  const later = [...refused.keys()].filter((one) => one >= number);
  return refused.get(Math.min(...later));
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
    const state = await context.readModels.state();
    const results = newest.map((rebuild) => toResource(rebuild, state, context));
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
