import { setTimeout as pause } from 'node:timers/promises';

const RETRY_EVERY_MS = 100;

/**
 * Retries `work` while `isTransient` accepts its error.
 * @param deadline in milliseconds of `performance.now()`
 * @throws the last error
 */
export async function retryUntil<T>(
  work: () => Promise<T>,
  deadline: number,
  isTransient: (error: unknown) => boolean,
): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || performance.now() >= deadline) throw error;
      await pause(RETRY_EVERY_MS);
    }
  }
}

/** Returns whether an error, or one of its causes, has one of these Kafka error types; kafkajs wraps the error of the broker. */
export function hasErrorType(error: unknown, types: readonly string[]): boolean {
  if (!(error instanceof Error)) return false;
  const { type } = error as Error & { readonly type?: string };
  return (type !== undefined && types.includes(type)) || hasErrorType(error.cause, types);
}

/** Milliseconds within which a broker that has just started loads its group coordinator. */
export const COORDINATOR_TIMEOUT_MS = 15_000;

const COORDINATOR_NOT_READY = [
  'GROUP_LOAD_IN_PROGRESS',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'NOT_COORDINATOR_FOR_GROUP',
];

/** Returns whether the group coordinator has not been loaded yet. */
export function isCoordinatorNotReady(error: unknown): boolean {
  // kafkajs throws this error without a type when no broker has named a coordinator within the client's retries.
  const isNotFound = error instanceof Error && error.name === 'KafkaJSGroupCoordinatorNotFound';
  return isNotFound || hasErrorType(error, COORDINATOR_NOT_READY);
}
