import type { Aggregate } from './aggregate.ts';
import type { EventOf } from './event.ts';
import { RebuildRequested, REBUILDS_STREAM } from './system-events.ts';

export interface Rebuild {
  readonly rebuildId: string;
  /** Number of the generation of read models that it asks for; the first rebuild has 1. */
  readonly number: number;
  readonly requestedAt: string;
}

export const rebuilds: Aggregate<readonly Rebuild[], EventOf<typeof RebuildRequested>> = {
  category: REBUILDS_STREAM,
  events: [RebuildRequested],
  evolve: (all = [], { data: { rebuildId }, metadata: { recordedAt: requestedAt } }) => [
    ...all,
    { rebuildId, number: all.length + 1, requestedAt },
  ],
};
