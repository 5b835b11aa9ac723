import { z } from 'zod';
import type { NewEvent } from '#event-sourcing/event.ts';
import { type Rebuild, type RebuildEvent, rebuilds } from '#event-sourcing/rebuilds.ts';
import { REBUILD_OUTCOMES, REBUILDS_STREAM } from '#event-sourcing/system-events.ts';
import { defineSystemCommand } from '../command.ts';

const input = z.strictObject({
  rebuildId: z.uuid(),
  outcome: z.enum(REBUILD_OUTCOMES),
  reason: z.string().nullable(),
});

/** Returns no event for a rebuild that has ended. */
function decideEndRebuild(
  known: readonly Rebuild[] | undefined,
  end: z.output<typeof input>,
): readonly NewEvent<RebuildEvent>[] {
  const isOpen = known?.some(({ rebuildId, ended }) => rebuildId === end.rebuildId && ended === undefined);
  return isOpen ? [{ type: 'RebuildEnded', data: end }] : [];
}

export const endRebuild = defineSystemCommand({
  name: 'EndRebuild',
  summary: 'Records that a rebuild of read models has ended.',
  input,
  roles: [],
  process: 'projector',
  changesOneStream: true,
  identity: ({ rebuildId }) => ['end rebuild', rebuildId],
  aggregate: rebuilds,
  decide: decideEndRebuild,
  handle: async (end, context) => {
    const target = await context.loadTarget(rebuilds, REBUILDS_STREAM);
    return { target, events: decideEndRebuild(target.state, end), tags: {} };
  },
});
