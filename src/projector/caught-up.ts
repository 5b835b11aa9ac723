import type { ProjectorStatus } from './projector.ts';

/** How far the read models may be behind the log (`decisions`: Running, Health). */
const MOST_LAG_MS = 5_000;

/** Why the read models cannot be relied upon at the moment, in words for the operator; undefined when they can. */
export function lagFailure({ failure, caughtUp, lagMs, isOfAnotherLog }: ProjectorStatus): string | undefined {
  if (isOfAnotherLog === true) return 'the read models were made from another log: see the runbook, Restore';
  if (failure !== undefined) return 'stands still and tries again; the log says why';
  if (!caughtUp) return 'the read models have not caught up with the log yet';
  if (lagMs > MOST_LAG_MS) return `the read models are ${Math.round(lagMs / 1000)} s behind the log`;
  return undefined;
}
