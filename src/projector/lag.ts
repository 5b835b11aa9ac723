import type { ProjectorStatus } from './projector.ts';

/** With a greater lag of the read models a process is not ready. */
const MAX_LAG_MS = 5_000;

/** Returns why the read models are not up to date, for the operator; undefined when they are. */
export function lagFailure({ failure, caughtUp, lagMs, hasLogMismatch }: ProjectorStatus): string | undefined {
  if (hasLogMismatch === true) return 'the read models were built from another log: see "Restore" in docs/runbook.md';
  if (failure !== undefined) return 'stalled, will retry; the log has the reason';
  if (!caughtUp) return 'the read models have not caught up with the log yet';
  if (lagMs > MAX_LAG_MS) return `the read models are ${Math.round(lagMs / 1000)} s behind the log`;
  return undefined;
}
