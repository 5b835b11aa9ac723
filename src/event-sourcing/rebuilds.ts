import type { Aggregate } from './aggregate.ts';
import type { EventOf } from './event.ts';
import { RebuildEnded, RebuildRequested, REBUILDS_STREAM } from './system-events.ts';

export type RebuildEvent = EventOf<typeof RebuildRequested> | EventOf<typeof RebuildEnded>;

export interface Rebuild {
  readonly rebuildId: string;
  readonly collections: readonly string[];
  readonly requestedAt: string;
  readonly position: bigint;
  readonly ended:
    | ({ readonly at: string } & Pick<EventOf<typeof RebuildEnded>['data'], 'outcome' | 'reason'>)
    | undefined;
}

export const rebuilds: Aggregate<readonly Rebuild[], RebuildEvent> = {
  category: REBUILDS_STREAM,
  events: [RebuildRequested, RebuildEnded],
  evolve: (all = [], { type, data, position, metadata: { recordedAt: at } }) => {
    if (type === 'RebuildRequested') {
      const { rebuildId, collections } = data;
      return [...all, { rebuildId, collections, requestedAt: at, position, ended: undefined }];
    }
    const ended = { at, outcome: data.outcome, reason: data.reason };
    return all.map((one) => (one.rebuildId === data.rebuildId ? { ...one, ended } : one));
  },
};
