import { LEASE_TIMES } from '../processes/leadership.ts';
import type { Lease, Records } from '../records/records.ts';

export interface WatchOptions {
  /** Resolves after that many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** For so long at least, whoever holds what. */
  readonly atLeastMs: number;
}

/**
 * The roles that some process leads: while it is watched, the beat of its lease moves, or somebody takes it. As in
 * `startLeadership` no clocks are compared; a holder whose beat stands still for the time to live is dead.
 * @throws {StoreUnavailable}
 */
export async function findLeaders(
  leases: Pick<Records, 'readLease'>,
  roles: readonly string[],
  { pause, atLeastMs }: WatchOptions,
): Promise<readonly string[]> {
  const { renewEvery, timeToLive } = LEASE_TIMES;
  const read = async (): Promise<readonly (Lease | undefined)[]> =>
    await Promise.all(roles.map(async (role) => await leases.readLease(role)));
  const first = await read();
  const isHeld = first.some((lease) => lease?.holder !== undefined);
  const watchFor = isHeld ? Math.max(timeToLive, atLeastMs) : atLeastMs;
  for (let watched = 0; watched < watchFor; watched += renewEvery) {
    await pause(renewEvery);
    const now = await read();
    const led = roles.filter((_, index) => now[index]?.holder !== undefined && now[index].beat !== first[index]?.beat);
    if (led.length > 0) return led;
  }
  return [];
}
