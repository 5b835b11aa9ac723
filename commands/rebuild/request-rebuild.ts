import { z } from 'zod';
import { stateOf } from '#event-sourcing/aggregate.ts';
import type { EventOf, NewEvent } from '#event-sourcing/event.ts';
import { type Rebuild, rebuilds } from '#event-sourcing/rebuilds.ts';
import { type RebuildRequested, REBUILDS_STREAM } from '#event-sourcing/system-events.ts';
import { defineCommand } from '../command.ts';

function decideRequestRebuild(
  _: readonly Rebuild[] | undefined,
  { rebuildId }: { readonly rebuildId: string },
): NewEvent<EventOf<typeof RebuildRequested>>[] {
  return [{ type: 'RebuildRequested', data: { rebuildId } }];
}

export const requestRebuild = defineCommand({
  name: 'RequestRebuild',
  summary: 'Requests that the read models be built again from the log, beside those that are served.',
  description: `Builds all read models again from the whole log, beside those that are served, and then serves the new ones, all at once. Requests are answered from the old documents until then, and see no difference otherwise.
Poll the rebuild until its \`state\` is not \`running\`. \`refused\`: documents that are served would be parked, as \`reason\` says; the documents stay as they are. A rebuild that runs with a \`reason\` has met a damaged log, and goes on
when that is restored. A request while another rebuild runs begins again from the start of the log, and both end as the newer one does.`,
  input: z.strictObject({}),
  example: {},
  errors: [],
  roles: ['admin'],
  creates: true,
  changesOneStream: true,
  aggregate: rebuilds,
  decide: decideRequestRebuild,
  handle: async (_request, context) => {
    const target = await context.loadTarget(rebuilds, REBUILDS_STREAM);
    return { target, events: decideRequestRebuild(target.state, { rebuildId: context.derive('rebuild') }), tags: {} };
  },
  result: ({ events }) => {
    const [requested] = stateOf(rebuilds, events) ?? [];
    return { rebuild_id: requested?.rebuildId, requested_at: requested?.requestedAt };
  },
});
