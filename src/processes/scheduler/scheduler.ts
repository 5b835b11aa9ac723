import { addDays, startOfDay } from '../../domain/values/dates.ts';
import { type Day, dayOf } from '../../event-sourcing/time.ts';
import { Refusal } from '../../domain/refusals.ts';
import { type Position, StoreUnavailable } from '../../event-store/event-store.ts';
import { describeError, originOf } from '../../projector/describe-error.ts';
import { waitUntilCaughtUp } from '../caught-up.ts';
import type { ProcessParts, RunningProcess, StartProcess } from '../process.ts';
import { runPeriodically } from '../run-periodically.ts';
import { mapConcurrently } from '../map-concurrently.ts';
import { checkClock, newestRecordedAt } from './clock.ts';
import { type DuePolicy, duePolicyOf, takeStep } from './due-policy.ts';
import { type SchedulerMetrics, schedulerMetrics } from './metrics.ts';

/** How many policies are looked up at once. */
const PAGE = 500;
/** How many are worked on at the same time: enough to share a commit, few enough that requests get their turn. */
const SIDE_BY_SIDE = 8;
const LONGEST_PAUSE_MS = 60_000;

/** Activates and renews policies by the clock, which it does not judge. */
export interface Scheduler {
  /**
   * Does everything that is due now, also what has been due for years; what cannot be done is logged, counted and left for the
   * next time. Several may run at once, here or in other processes: every activation and every term happens once.
   * @throws {StoreUnavailable} when a store is away
   */
  readonly runOnce: (signal?: AbortSignal) => Promise<void>;
}

/** Creates a scheduler that does nothing by itself. Declares its metrics: once for a registry. */
export function createScheduler(parts: ProcessParts): Scheduler {
  const figures = schedulerMetrics(parts.metrics);
  return {
    runOnce: async (signal = new AbortController().signal) =>
      await new Round(parts, figures, dayOf(parts.commandPorts.now()), signal).run(),
  };
}

/** The scheduler at work: at once, at the beginning of every UTC day, and once a minute. */
export async function startScheduler(parts: ProcessParts): Promise<RunningProcess> {
  return (await schedulerStarter(parts))(undefined);
}

/**
 * Returns what starts the scheduler. It holds while its clock disagrees with the time of its last round, which it saves under the
 * fence (docs/decisions/0014). Called before this process appends an event. Declares
 * its metrics: once for a registry.
 * @throws {StoreUnavailable}
 */
export async function schedulerStarter(parts: ProcessParts): Promise<StartProcess> {
  const { log, pause, stalls, commandPorts } = parts;
  const { now } = commandPorts;
  const figures = schedulerMetrics(parts.metrics);
  const newest = await newestRecordedAt(commandPorts.eventStore);
  const untilNext = (): number => {
    const tomorrow = startOfDay(addDays(dayOf(now()), 1));
    return Math.min(Date.parse(tomorrow) - Date.parse(now()), LONGEST_PAUSE_MS);
  };
  return (fence) => {
    let disagreement: string | undefined;
    const round = async (signal: AbortSignal): Promise<void> => {
      const clock = await checkClock(commandPorts, newest, fence);
      if (disagreement === undefined && clock.disagreement !== undefined)
        log.warn({ reason: clock.disagreement }, 'The scheduler is paused: its clock disagrees');
      if (disagreement !== undefined && clock.disagreement === undefined) log.info('The scheduler resumes');
      disagreement = clock.disagreement;
      figures.holds(disagreement !== undefined);
      // The day that was checked: the clock may jump while the round lasts.
      if (disagreement === undefined) await new Round(parts, figures, dayOf(clock.now), signal).run();
    };
    const running = runPeriodically({ name: 'scheduler', log, pause, stalls, now, round, untilNext });
    const warning = (): string | undefined => (disagreement === undefined ? undefined : `holds: ${disagreement}`);
    const stop = async (): Promise<void> => {
      await running.stop();
      figures.due(undefined);
      figures.holds(undefined);
    };
    return { ...running, warning, stop };
  };
}

class Round {
  readonly #parts: ProcessParts;
  readonly #figures: SchedulerMetrics;
  readonly #today: Day;
  readonly #signal: AbortSignal;
  /** What stays due although it was looked at. */
  readonly #left = new Set<string>();
  /** What the page before held, with the day it was due on. */
  #visited = new Map<string, string>();
  readonly #done = { activation: 0, renewal: 0 };
  #position: Position | undefined;

  constructor(parts: ProcessParts, figures: SchedulerMetrics, today: Day, signal: AbortSignal) {
    this.#parts = parts;
    this.#figures = figures;
    this.#today = today;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    // What the read models do not show yet may be done already; it would be looked at in vain.
    await waitUntilCaughtUp(await this.#parts.commandPorts.eventStore.lastPosition(), this.#parts, this.#signal);
    try {
      await this.#pages();
    } finally {
      const { activation, renewal } = this.#done;
      if (activation + renewal > 0) this.#parts.log.info(this.#done, 'Policies were activated and renewed');
    }
  }

  async #pages(): Promise<void> {
    for (let offset = 0; !this.#signal.aborted; ) {
      const page = await this.#page(offset);
      if (page.length === 0) return;
      for (const { policyId, due } of page) if (this.#visited.get(policyId) === due) this.#left.add(policyId);
      const fresh = page.filter(({ policyId }) => !this.#left.has(policyId));
      this.#visited = new Map(fresh.map(({ policyId, due }) => [policyId, due]));
      if (fresh.length === 0) {
        offset += page.length;
        continue;
      }
      await mapConcurrently(fresh, SIDE_BY_SIDE, async (policy) => await this.#bringUpToDate(policy));
      await waitUntilCaughtUp(this.#position, this.#parts, this.#signal);
    }
  }

  async #page(offset: number): Promise<readonly DuePolicy[]> {
    const query = { atMost: { due: this.#today }, limit: PAGE, offset };
    const { count, documents } = await this.#parts.readModels.find('policies', query);
    this.#figures.due(count);
    return documents.map(duePolicyOf);
  }

  /** One term after the other, until none is due any more. */
  async #bringUpToDate(policy: DuePolicy): Promise<void> {
    for (let due: DuePolicy | undefined = policy; due !== undefined && due.due <= this.#today; ) {
      if (this.#signal.aborted) return;
      due = await this.#step(due);
    }
  }

  async #step(policy: DuePolicy): Promise<DuePolicy | undefined> {
    try {
      const step = await takeStep(policy, this.#parts.commandPorts);
      if (step.kind === 'no_longer_due') return undefined;
      if (this.#position === undefined || step.position > this.#position) this.#position = step.position;
      if (step.isNew) this.#count(policy);
      return step.next;
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      this.#figures.failed();
      const reason = error instanceof Refusal ? error.code : describeError(error);
      this.#parts.log.error(
        { ...policy, reason, at: error instanceof Refusal ? undefined : originOf(error) },
        'What is due for a policy could not be done; it is tried again later',
      );
      return undefined;
    }
  }

  #count({ kind }: DuePolicy): void {
    this.#done[kind] += 1;
    this.#figures.acted(kind);
  }
}
