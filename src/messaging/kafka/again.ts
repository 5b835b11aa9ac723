import { setTimeout as pause } from 'node:timers/promises';

const LOOK_AGAIN_MS = 100;

/** Does it again until the moment of `performance.now`, as long as what it meets may pass. @throws what the last try met */
export async function repeated<T>(
  work: () => Promise<T>,
  until: number,
  mayPass: (error: unknown) => boolean,
): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!mayPass(error) || performance.now() >= until) throw error;
      await pause(LOOK_AGAIN_MS);
    }
  }
}

/** Whether a broker refused it for one of these reasons, as Kafka calls them; kafkajs may tell that as the cause of its giving up. */
export function isRefusal(error: unknown, types: readonly string[]): boolean {
  if (!(error instanceof Error)) return false;
  const { type } = error as Error & { readonly type?: string };
  return (type !== undefined && types.includes(type)) || isRefusal(error.cause, types);
}

/** A broker that has just begun knows its groups after so many milliseconds. */
export const COORDINATOR_READY_WITHIN_MS = 15_000;

const OF_BEGINNING_COORDINATORS = [
  'GROUP_LOAD_IN_PROGRESS',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'NOT_COORDINATOR_FOR_GROUP',
];

/** Whether a broker that has just begun does not know its groups yet. */
export function isCoordinatorNotReady(error: unknown): boolean {
  return isRefusal(error, OF_BEGINNING_COORDINATORS);
}
