import { z } from 'zod';
import { stateOf } from '#event-sourcing/aggregate.ts';
import { refusalsOf } from '#domain/refusals.ts';
import type { NewEvent } from '#event-sourcing/event.ts';
import { type Rebuild, type RebuildEvent, rebuilds } from '#event-sourcing/rebuilds.ts';
import { REBUILDS_STREAM } from '#event-sourcing/system-events.ts';
import { defineCommand } from '../command.ts';
import { READ_MODEL_COLLECTIONS } from '../shared/read-model-collections.ts';

const refuse = refusalsOf('rebuild_running');

const input = z.strictObject({
  collections: z
    .array(z.enum(READ_MODEL_COLLECTIONS))
    .min(1, 'must not be empty')
    .refine((names) => new Set(names).size === names.length, 'must name each collection once')
    .optional()
    .meta({ description: 'Collections of the read models; default all' }),
});

function decideRequestRebuild(
  known: readonly Rebuild[] | undefined,
  { collections = [...READ_MODEL_COLLECTIONS], rebuildId }: z.output<typeof input> & { readonly rebuildId: string },
): NewEvent<RebuildEvent>[] {
  const isOverlapping = (one: Rebuild): boolean =>
    one.ended === undefined && one.collections.some((name) => collections.some((wanted) => wanted === name));
  const running = known?.find(isOverlapping);
  if (running !== undefined) {
    const rebuild = { rebuild_id: running.rebuildId, collections: running.collections };
    throw refuse('rebuild_running', 'A rebuild of the same collections has not ended', { members: rebuild });
  }
  return [{ type: 'RebuildRequested', data: { rebuildId, collections } }];
}

export const requestRebuild = defineCommand({
  name: 'RequestRebuild',
  summary: 'Requests that read models be rebuilt from the log, beside those that are served.',
  description: `Rebuilds read models from the whole log, beside the documents that are served, and then serves the new ones, all at once. Requests are answered from the old documents until then, and see no difference otherwise. Without
\`collections\` all are rebuilt. Poll the rebuild until its \`state\` is not \`running\`. \`superseded\`: all read models were built from the log after the request, for example because they were deleted.
\`refused\`: the log is damaged, or documents that are served would be parked, as \`reason\` says; the documents stay as they are. A verification names what is wrong with the log.`,
  input,
  example: { collections: ['providers'] },
  errors: refuse.codes,
  roles: ['admin'],
  creates: true,
  changesOneStream: true,
  aggregate: rebuilds,
  decide: decideRequestRebuild,
  handle: async (request, context) => {
    const target = await context.loadTarget(rebuilds, REBUILDS_STREAM);
    const events = decideRequestRebuild(target.state, { ...request, rebuildId: context.derive('rebuild') });
    return { target, events, tags: {} };
  },
  result: ({ events }) => {
    const [requested] = stateOf(rebuilds, events);
    const { rebuildId, collections, requestedAt } = requested ?? {};
    return { rebuild_id: rebuildId, collections, requested_at: requestedAt };
  },
});
