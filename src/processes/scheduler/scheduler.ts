import type { Instant } from '#event-sourcing/time.ts';
import { Refusal } from '#domain/refusals.ts';
import type { Position } from '#stores/event-log/event-log.ts';
import type { StoredDocument } from '#stores/read-models/read-models.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { describeError, firstFramesOf } from '#service/observability/describe-error.ts';
import { type ProcessParts, type StartProcess, waitUntilCaughtUp } from '../runtime/process.ts';
import { runPeriodically, mapConcurrently } from '../runtime/run-periodically.ts';
import { checkClock, newestRecordedAt } from './clock.ts';
import { type DuePolicy, duePolicyOf, executeDueStep, type Step } from './due-policy.ts';
import { Counter, Gauge, type Registry } from 'prom-client';

/** Few documents, so that reading a page takes a few milliseconds. */
const PAGE = 100;
/** High enough that commits are shared, low enough that requests are served in between. */
const CONCURRENCY = 8;
const MINUTE_MS = 60_000;

/**
 * Creates the function that starts the scheduler, which runs at once and at the start of every minute. It pauses while
 * its clock disagrees with the time of its last run, which it saves (docs/decisions/0014). Call this before the process
 * appends an event, and once per registry, because it declares the metrics.
 * @throws {StoreUnavailable}
 */
export async function schedulerStarter(parts: ProcessParts): Promise<StartProcess> {
  const { log, commandPorts } = parts;
  const { now } = commandPorts;
  const metrics = declareSchedulerMetrics(parts.metrics);
  const newest = await newestRecordedAt(commandPorts.eventStore);
  // The day begins on a full minute in every time zone.
  const nextDelayMs = (): number => MINUTE_MS - (Date.parse(now()) % MINUTE_MS);
  return () => {
    let disagreement: string | undefined;
    const run = async (signal: AbortSignal): Promise<void> => {
      const clock = await checkClock(commandPorts, newest);
      if (disagreement === undefined && clock.disagreement !== undefined)
        log.warn(
          { reason: clock.disagreement },
          'The scheduler is paused because its clock disagrees with the last known time',
        );
      if (disagreement !== undefined && clock.disagreement === undefined) log.info('The scheduler resumes');
      disagreement = clock.disagreement;
      metrics.setPaused(disagreement !== undefined);
      // Uses the time that was checked, because the clock may jump during the run.
      if (disagreement === undefined) await activateAndRenew(parts, metrics, clock.now, signal);
    };
    const running = runPeriodically({ ...parts, name: 'scheduler', now, run, nextDelayMs });
    const warning = (): string | undefined => (disagreement === undefined ? undefined : `paused: ${disagreement}`);
    const stop = async (): Promise<void> => {
      await running.stop();
      metrics.setDue(undefined);
      metrics.setPaused(undefined);
    };
    return { ...running, warning, stop };
  };
}

/**
 * Activates and renews every policy that is due, also for terms long past. A failure is logged and counted, and retried
 * by the next run. Schedulers may run concurrently, also in several processes: every activation and every renewal
 * happens once.
 * @throws {StoreUnavailable}
 */
export async function activateAndRenew(
  parts: ProcessParts,
  metrics: SchedulerMetrics,
  now: Instant,
  signal: AbortSignal,
): Promise<void> {
  const { commandPorts, readModels, log } = parts;
  /** What each policy was due for when an attempt failed or found nothing to do; skipped for the rest of the run. */
  const skipped = new Map<string, string>();
  const done = { activation: 0, renewal: 0 };
  let position: Position | undefined;
  const isSkipped = ({ policyId, due }: DuePolicy): boolean => skipped.get(policyId) === due;

  /** Returns undefined when the step failed or is no longer due. @throws {StoreUnavailable} */
  const execute = async (policy: DuePolicy): Promise<Step | undefined> => {
    try {
      const step = await executeDueStep(policy, commandPorts);
      if (step === undefined) return undefined;
      if (position === undefined || step.position > position) position = step.position;
      if (step.isNew) {
        done[policy.kind] += 1;
        metrics.acted(policy.kind);
      }
      return step;
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      metrics.failed();
      const reason = error instanceof Refusal ? error.code : describeError(error);
      log.error(
        { ...policy, reason, at: error instanceof Refusal ? undefined : firstFramesOf(error) },
        'Could not activate or renew a policy; the next run retries it',
      );
      return undefined;
    }
  };
  const bringUpToDate = async (policy: DuePolicy): Promise<void> => {
    for (let due: DuePolicy | undefined = policy; due !== undefined && due.dueAt <= now; ) {
      if (signal.aborted) return;
      const step: Step | undefined = await execute(due);
      if (step?.isNew !== true) skipped.set(due.policyId, due.due);
      due = step?.next;
    }
  };
  /**
   * Attempts every due policy once, in order of the due time. Returns the number of attempts: the next change of an
   * activated policy may be due already, and lie before the place that the pass has reached.
   */
  const pass = async (): Promise<number> => {
    let [attempts, stillDue] = [0, 0];
    for (let after: StoredDocument | undefined; !signal.aborted; ) {
      const page = await readModels.scanIndex('policies', { index: 'due', atMost: now, after, limit: PAGE });
      metrics.setDue(stillDue + page.length);
      if (page.length === 0) return attempts;
      after = page.at(-1);
      const policies = page.map(duePolicyOf);
      const fresh = policies.filter((policy) => !isSkipped(policy));
      attempts += fresh.length;
      await mapConcurrently(fresh, CONCURRENCY, bringUpToDate);
      stillDue += policies.filter(isSkipped).length;
      metrics.setDue(stillDue);
      await waitUntilCaughtUp(position, parts, signal);
    }
    return 0;
  };

  // Otherwise the read models may list policies that were activated or renewed already.
  await waitUntilCaughtUp(await commandPorts.eventStore.lastPosition(), parts, signal);
  try {
    while ((await pass()) > 0);
  } finally {
    if (done.activation + done.renewal > 0) log.info(done, 'Activated and renewed policies');
  }
}

type SchedulerMetrics = ReturnType<typeof declareSchedulerMetrics>;

/**
 * Declares the metrics of the scheduler, of which the first two are undefined while this process does not lead; call it
 * once per registry.
 */
export function declareSchedulerMetrics(metrics: Registry) {
  const registers = [metrics];
  const due = new Gauge({
    name: 'surety_scheduler_due',
    help: 'Policies whose activation or renewal is due and not done after the last run of the scheduler; during a run those of the page in progress and those that failed',
    registers,
  });
  const paused = new Gauge({
    name: 'surety_scheduler_paused',
    help: 'Whether the scheduler is paused until the operator acts, because its clock disagrees with the last known time: 1 or 0',
    registers,
  });
  const actions = new Counter({
    name: 'surety_scheduler_actions_total',
    help: 'Activations and renewals done by the scheduler, by kind',
    labelNames: ['kind'],
    registers,
  });
  const failures = new Counter({
    name: 'surety_scheduler_failures_total',
    help: 'Activations and renewals that were due and failed; the log names the policy',
    registers,
  });
  due.remove();
  paused.remove();
  for (const kind of ['activation', 'renewal']) actions.inc({ kind }, 0);
  return {
    setDue: (policies: number | undefined) => (policies === undefined ? due.remove() : due.set(policies)),
    setPaused: (isPaused: boolean | undefined) =>
      isPaused === undefined ? paused.remove() : paused.set(Number(isPaused)),
    acted: (kind: 'activation' | 'renewal') => actions.inc({ kind }),
    failed: () => failures.inc(),
  };
}
