import type { Instant } from '#event-sourcing/time.ts';
import type { ProjectorLog } from '#read-side/projector.ts';
import type { Fence, WriterFenced, Lease, Records } from '#stores/records/records.ts';
import { unlessAborted } from '#stores/shared/timing.ts';

/** Times of a lease, in milliseconds of the monotonic clock of each process. */
export interface LeaseTimes {
  /** How often the leader renews the lease, and a standby process reads it. */
  readonly renewEvery: number;
  /** A leader that has not renewed the lease for this long stops its work. Less than `timeToLive`. */
  readonly renewDeadline: number;
  /** A lease that has not been renewed for this long has no leader. */
  readonly timeToLive: number;
}

/** A process that dies is replaced after the time to live; one that stops cleanly, at the next poll. */
export const LEASE_TIMES: LeaseTimes = { renewEvery: 1_000, renewDeadline: 5_000, timeToLive: 8_000 };

export interface LeaderWork {
  readonly stop: () => Promise<void>;
  /** Resolves when a write was rejected because of a greater fencing token. */
  readonly fenced: Promise<WriterFenced>;
}

export interface LeadershipOptions {
  readonly name: string;
  /** Id of this process; never used by another process. */
  readonly holder: string;
  readonly leases: Pick<Records, 'readLease' | 'acquireLease' | 'renewLease' | 'releaseLease'>;
  readonly times?: LeaseTimes | undefined;
  readonly monotonic: () => number;
  /** Only for operators, who want to know since when a process leads. */
  readonly now: () => Instant;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly log: ProjectorLog;
  /** Starts the work and returns at once; its writes carry the fence. Called for each term as leader. */
  readonly startWork: (fence: Fence) => LeaderWork;
}

/**
 * Elects a leader by a lease: one process at a time works, the others stand by. Clocks of different processes are never compared.
 * A standby process takes the lease when its beat has not changed for the time to live since the process first read it, which is
 * later than the leader's last renewal; a leader that cannot renew the lease stops before that. A leader that was frozen and could
 * not stop writes with an old fencing token, so its writes are rejected. A leader whose write is rejected steps down. When the
 * leases are older than what they fence (after a restore), it is elected again with a token above the one that rejected it.
 */
export class Leadership {
  readonly #options: LeadershipOptions;
  readonly #times: LeaseTimes;
  readonly #ending = new AbortController();
  readonly #running: Promise<void>;
  #leadingSince: Instant | undefined;
  #greatestToken = 0;
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
      const taken = await this.#standBy();
      if (taken !== undefined) await this.#lead(taken);
    }
  }

  async #standBy(): Promise<{ readonly lease: Lease; readonly until: number } | undefined> {
    const { name, holder, leases, monotonic } = this.#options;
    let watched: { readonly lease: Lease | undefined; readonly since: number } | undefined;
    while (!this.#stopping.aborted) {
      try {
        // The process can stop while the records hang; a lease that was taken then expires.
        const lease = await unlessAborted(leases.readLease(name), this.#stopping);
        if (this.#stopping.aborted) return undefined;
        // Read the clock after the response: the lease was renewed before that.
        if (watched === undefined || !isSame(watched.lease, lease)) watched = { lease, since: monotonic() };
        this.#failure = undefined;
        const isStale = monotonic() - watched.since >= this.#times.timeToLive;
        // A lease held by this process is from an earlier term, whose work has stopped; late writes of that term carry a smaller token.
        const isFree = lease?.holder === undefined || lease.holder === holder || isStale;
        const asked = monotonic();
        const taken = isFree
          ? await unlessAborted(leases.acquireLease(name, holder, lease, this.#greatestToken), this.#stopping)
          : undefined;
        if (taken !== undefined) return { lease: taken, until: asked + this.#times.renewDeadline };
      } catch (error) {
        this.#failed(error);
      }
      await this.#options.pause(this.#times.renewEvery, this.#stopping);
    }
    return undefined;
  }

  async #lead(taken: { readonly lease: Lease; readonly until: number }): Promise<void> {
    const { name, startWork, log, leases } = this.#options;
    const details = { lease: name, token: taken.lease.token };
    log.info(details, 'This process now leads');
    this.#leadingSince = this.#options.now();
    const work = startWork({ token: taken.lease.token });
    const ending = new AbortController();
    let greater: number | undefined;
    void work.fenced.then(({ token }) => {
      greater = token;
      ending.abort();
    });
    const held = await this.#renew(taken.lease, taken.until, AbortSignal.any([this.#stopping, ending.signal]));
    this.#leadingSince = undefined;
    this.#greatestToken = Math.max(this.#greatestToken, greater ?? 0);
    if (greater !== undefined)
      log.warn(
        { ...details, greater },
        'This process no longer leads: a write was rejected because of a greater token',
      );
    else if (held === undefined)
      log.warn(details, 'This process no longer leads: it could not renew the lease in time');
    try {
      await work.stop();
    } catch (error) {
      log.warn({ ...details, reason: nameOf(error) }, 'A process did not stop cleanly after it lost the lease');
    }
    if (held !== undefined) await leases.releaseLease(name, held).catch((error: unknown) => this.#failed(error));
    // Gives the other candidates the first chance.
    if (!this.#stopping.aborted) await this.#options.pause(this.#times.renewEvery, this.#stopping);
  }

  /** Renews the lease until the signal aborts, then returns it; returns undefined when it is lost or its deadline has passed. */
  async #renew(taken: Lease, leadUntil: number, ending: AbortSignal): Promise<Lease | undefined> {
    const { monotonic, pause } = this.#options;
    let [lease, until] = [taken, leadUntil];
    while (!ending.aborted) {
      await pause(Math.min(this.#times.renewEvery, Math.max(0, until - monotonic())), ending);
      if (ending.aborted) return lease;
      const startedAt = monotonic();
      if (startedAt >= until) return undefined;
      const renewed = await this.#renewOnce(lease, until);
      if (renewed === 'lost') return undefined;
      if (renewed === 'unknown') continue;
      [lease, until] = [renewed, startedAt + this.#times.renewDeadline];
    }
    return lease;
  }

  async #renewOnce(lease: Lease, until: number): Promise<Lease | 'lost' | 'unknown'> {
    const { name, leases, monotonic, pause } = this.#options;
    const answered = new AbortController();
    const late = pause(until - monotonic(), answered.signal).then(() => 'unknown' as const);
    const renewed = leases.renewLease(name, lease).then(
      (next) => {
        this.#failure = undefined;
        return next ?? ('lost' as const);
      },
      (error: unknown) => {
        this.#failed(error);
        return 'unknown' as const;
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

function isSame(a: Lease | undefined, b: Lease | undefined): boolean {
  return a?.token === b?.token && a?.beat === b?.beat && a?.holder === b?.holder;
}

/** The message of an unknown error may quote personal data. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}

interface WatchOptions {
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
