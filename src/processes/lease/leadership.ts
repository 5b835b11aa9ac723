import type { Instant } from '#event-sourcing/time.ts';
import type { ProjectorLog } from '#read-side/projector.ts';
import type { Leases } from '#stores/records/records.ts';
import { unlessAborted } from '#stores/shared/timing.ts';

/** Times of a lease in milliseconds. */
export interface LeaseTimes {
  /** How often the leader renews the lease, and a standby process tries to acquire it. */
  readonly renewEvery: number;
  /**
   * A leader that has not renewed the lease for this long, by its monotonic clock, stops its work. Less than
   * `timeToLive`.
   */
  readonly renewDeadline: number;
  /** A lease that has not been renewed for this long, by the clock of the store, has no leader. */
  readonly timeToLive: number;
}

/** A process that dies is replaced after the time to live; one that stops cleanly, at the next poll. */
export const LEASE_TIMES: LeaseTimes = { renewEvery: 1_000, renewDeadline: 5_000, timeToLive: 8_000 };

export interface LeaderWork {
  readonly stop: () => Promise<void>;
  /** Resolves when a write was rejected because another process leads. */
  readonly takenOver: Promise<unknown>;
}

export interface LeadershipOptions {
  readonly name: string;
  /** Id of this process; never used by another process. */
  readonly holder: string;
  readonly leases: Leases;
  readonly times?: LeaseTimes | undefined;
  readonly monotonic: () => number;
  /** Only for operators, who want to know since when a process leads. */
  readonly now: () => Instant;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly log: ProjectorLog;
  /** Starts the work and returns at once. Called for each term as leader. */
  readonly startWork: () => LeaderWork;
}

/**
 * Elects a leader by a lease: one process at a time works, the others stand by. A standby process acquires the lease
 * when it was not renewed for the time to live, by the clock of the store; a leader that cannot renew the lease stops
 * before that, by its own clock. The writes of a leader that was frozen and could not stop are rejected, and a leader
 * whose write is rejected steps down.
 */
export class Leadership {
  readonly #options: LeadershipOptions;
  readonly #times: LeaseTimes;
  readonly #ending = new AbortController();
  readonly #running: Promise<void>;
  #leadingSince: Instant | undefined;
  #failure: string | undefined;

  constructor(options: LeadershipOptions) {
    this.#options = options;
    this.#times = options.times ?? LEASE_TIMES;
    this.#running = this.#run();
  }

  readonly isLeading = (): boolean => this.#leadingSince !== undefined;

  /** Returns since when this process leads, by its own clock; undefined while it stands by. */
  readonly leadingSince = (): Instant | undefined => this.#leadingSince;

  /** Returns why the leader is unknown; undefined while this process leads or stands by. */
  readonly check = (): string | undefined => this.#failure;

  /** Stops the work and releases the lease, so that another process takes it at its next poll. */
  readonly stop = async (): Promise<void> => {
    this.#ending.abort();
    await this.#running;
  };

  get #stopping(): AbortSignal {
    return this.#ending.signal;
  }

  async #run(): Promise<void> {
    while (!this.#stopping.aborted) {
      const term = await this.#standBy();
      if (term !== undefined) await this.#lead(term);
    }
  }

  async #standBy(): Promise<{ readonly token: number; readonly until: number } | undefined> {
    const { name, holder, leases, monotonic, pause } = this.#options;
    const { renewEvery, renewDeadline, timeToLive } = this.#times;
    while (!this.#stopping.aborted) {
      const askedAt = monotonic();
      try {
        // The process can stop while the records hang; a lease that was acquired then expires.
        const acquiring = leases.acquireLease(name, holder, timeToLive);
        const token = await unlessAborted(acquiring, this.#stopping);
        this.#failure = undefined;
        if (token !== undefined) return { token, until: askedAt + renewDeadline };
      } catch (error) {
        this.#failed(error);
      }
      await pause(renewEvery, this.#stopping);
    }
    return undefined;
  }

  async #lead({ token, until }: { readonly token: number; readonly until: number }): Promise<void> {
    const { name, holder, startWork, log, leases } = this.#options;
    const details = { lease: name, token };
    log.info(details, 'This process now leads');
    this.#leadingSince = this.#options.now();
    const work = startWork();
    const ending = new AbortController();
    let isRejected = false;
    void work.takenOver.then(() => {
      isRejected = true;
      ending.abort();
    });
    const isHeld = await this.#renew(until, AbortSignal.any([this.#stopping, ending.signal]));
    this.#leadingSince = undefined;
    if (isRejected) log.warn(details, 'This process no longer leads: a write was rejected');
    else if (!isHeld) log.warn(details, 'This process no longer leads: it could not renew the lease in time');
    try {
      await work.stop();
    } catch (error) {
      log.warn({ ...details, reason: nameOf(error) }, 'A process did not stop cleanly after it lost the lease');
    }
    if (isHeld) await leases.releaseLease(name, holder).catch((error: unknown) => this.#failed(error));
    // Gives the other candidates the first chance.
    if (!this.#stopping.aborted) await this.#options.pause(this.#times.renewEvery, this.#stopping);
  }

  /**
   * Renews the lease until the signal aborts, then returns true; returns false when it is lost or its deadline has
   * passed.
   */
  async #renew(leadUntil: number, ending: AbortSignal): Promise<boolean> {
    const { monotonic, pause } = this.#options;
    let until = leadUntil;
    while (!ending.aborted) {
      await pause(Math.min(this.#times.renewEvery, Math.max(0, until - monotonic())), ending);
      if (ending.aborted) return true;
      const startedAt = monotonic();
      if (startedAt >= until) return false;
      const isRenewed = await this.#renewOnce(until);
      if (isRenewed === false) return false;
      if (isRenewed === true) until = startedAt + this.#times.renewDeadline;
    }
    return true;
  }

  /** Returns undefined when the outcome is unknown. */
  async #renewOnce(until: number): Promise<boolean | undefined> {
    const { name, holder, leases, monotonic, pause } = this.#options;
    const answered = new AbortController();
    const late = pause(until - monotonic(), answered.signal).then(() => undefined);
    const renewed = leases.renewLease(name, holder).then(
      (isRenewed) => {
        this.#failure = undefined;
        return isRenewed;
      },
      (error: unknown) => {
        this.#failed(error);
        return undefined;
      },
    );
    try {
      return await Promise.race([renewed, late]);
    } finally {
      answered.abort();
    }
  }

  #failed(error: unknown): void {
    if (this.#failure === undefined)
      this.#options.log.error(
        { lease: this.#options.name, reason: nameOf(error) },
        'The records do not answer for the lease',
      );
    this.#failure = 'the leader is unknown because the records do not answer';
  }
}

/** The message of an unknown error may quote personal data. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}

type Pause = (milliseconds: number) => Promise<void>;

/**
 * Acquires the lease of a role for a command of the operator when the role has no leader; waits until the lease of a
 * killed one expires.
 * @returns whether the lease was acquired @throws {StoreUnavailable}
 */
export async function acquireFreeLease(leases: Leases, role: string, holder: string, pause: Pause): Promise<boolean> {
  const { renewEvery, timeToLive } = LEASE_TIMES;
  for (let waited = 0; ; waited += renewEvery) {
    if ((await leases.acquireLease(role, holder, timeToLive)) !== undefined) return true;
    if (waited > timeToLive) return false;
    await pause(renewEvery);
  }
}

/**
 * Returns the roles that have a leader. While it finds one it waits up to the time to live, until the lease of a killed
 * one has expired.
 * @param options.atLeastMs minimum time to watch, also while no lease is held @throws {StoreUnavailable}
 */
export async function findLeaders(
  leases: Pick<Leases, 'findHolder'>,
  roles: readonly string[],
  { pause, atLeastMs }: { readonly pause: Pause; readonly atLeastMs: number },
): Promise<readonly string[]> {
  const { renewEvery, timeToLive } = LEASE_TIMES;
  for (let watched = 0; ; watched += renewEvery) {
    const holders = await Promise.all(roles.map(async (role) => await leases.findHolder(role, timeToLive)));
    const led = roles.filter((_, index) => holders[index] !== undefined);
    if (watched > timeToLive || (led.length === 0 && watched >= atLeastMs)) return led;
    await pause(renewEvery);
  }
}
