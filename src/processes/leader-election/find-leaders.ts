import { LEASE_TIMES } from './leadership.ts';
import type { Lease, Records } from '../../records/records.ts';

export interface WatchOptions {
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Minimum time to watch, also when no lease is held. */
  readonly atLeastMs: number;
}

/**
 * Watches the leases of the roles and returns the roles that have a leader: those whose lease is renewed or taken meanwhile. A holder
 * that does not renew its lease for the time to live is dead. Clocks are not compared.
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
