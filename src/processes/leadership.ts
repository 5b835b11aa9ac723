import type { Fence, WriterFenced, Lease, Records } from '../records/records.ts';

/** Times of a lease, in milliseconds by the monotonic clock of each process. */
export interface LeaseTimes {
  /** How often the leader renews the beat, and a standby process reads it. */
  readonly beatEvery: number;
  /** A leader has stopped its work this long after its last successful beat. Less than `timeToLive`. */
  readonly leadFor: number;
  /** A lease whose beat has not changed for this long has no leader. */
  readonly timeToLive: number;
}

/** A process that dies is replaced after the time to live; one that stops in order, at the next poll. */
export const LEASE_TIMES: LeaseTimes = { beatEvery: 1_000, leadFor: 5_000, timeToLive: 8_000 };

/** What a leader does. */
export interface LedWork {
  readonly stop: () => Promise<void>;
  /** Resolves when a write was refused, because a greater token stands there than that of the lead. */
  readonly fenced: Promise<WriterFenced>;
}

export interface LeadershipOptions {
  /** What one process at a time may do. */
  readonly name: string;
  /** This process, unlike any other that ever was. */
  readonly holder: string;
  readonly leases: Pick<Records, 'readLease' | 'acquireLease' | 'renewLease' | 'releaseLease'>;
  readonly times?: LeaseTimes | undefined;
  /** Milliseconds of a clock that only goes forward. */
  readonly monotonic: () => number;
  /** Resolves after that many milliseconds, or at once when the signal aborts. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly log: {
    info(details: object, message: string): void;
    warn(details: object, message: string): void;
    error(details: object, message: string): void;
  };
  /** Begins the work and returns at once; what it writes carries the fence. Called again for each term as leader. */
  readonly begin: (fence: Fence) => LedWork;
}

export interface Leadership {
  readonly name: string;
  readonly isLeading: () => boolean;
  /** Why the leader is unknown; undefined when this process leads or stands by. */
  readonly check: () => string | undefined;
  /** Stops the work and releases the lease, so that another process takes it at its next poll. */
  readonly stop: () => Promise<void>;
}

/**
 * Lets one process at a time do a piece of work; the others stand by. No two clocks are compared: a standby process watches the
 * beat, and takes over when it has not changed for the time to live since it was first seen, which is later than the leader's own
 * last beat. A leader that cannot beat stops before that. A leader that was frozen in the middle of its work, and could not stop,
 * writes under a token that is no longer the greatest: its checkpoints are refused. A process whose write is refused gives the
 * lead up; if it was the leader after all (leases that are younger than what they fence), it leads again above that token.
 * A process that stopped its work and finds its own name in the lease takes it again at once.
 */
export function startLeadership(options: LeadershipOptions): Leadership {
  const stopping = new AbortController();
  const contender = new Contender(options, stopping.signal);
  const running = contender.run();
  return {
    name: options.name,
    isLeading: () => contender.leading,
    check: () => contender.failure,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

class Contender {
  readonly #options: LeadershipOptions;
  readonly #times: LeaseTimes;
  readonly #stopping: AbortSignal;
  leading = false;
  /** The greatest token that was met. */
  #above = 0;
  failure: string | undefined;

  constructor(options: LeadershipOptions, stopping: AbortSignal) {
    this.#options = options;
    this.#times = options.times ?? LEASE_TIMES;
    this.#stopping = stopping;
  }

  async run(): Promise<void> {
    while (!this.#stopping.aborted) {
      const taken = await this.#standBy();
      if (taken !== undefined) await this.#lead(taken);
    }
  }

  /** Watches the lease until it can be taken; undefined when told to stop. */
  async #standBy(): Promise<{ readonly lease: Lease; readonly until: number } | undefined> {
    const { name, holder, leases, monotonic } = this.#options;
    let watched: { readonly lease: Lease | undefined; readonly since: number } | undefined;
    while (!this.#stopping.aborted) {
      try {
        const lease = await this.#unlessStopped(leases.readLease(name));
        if (lease === 'stopped') return undefined;
        // Taken after the answer: the beat that it shows was made before.
        if (watched === undefined || !isSame(watched.lease, lease)) watched = { lease, since: monotonic() };
        this.failure = undefined;
        const isStale = monotonic() - watched.since >= this.#times.timeToLive;
        // Its own name is from an earlier term as leader, whose work has stopped. The next token is greater: a late write of that term is refused.
        const isFree = lease?.holder === undefined || lease.holder === holder || isStale;
        const asked = monotonic();
        const taken = isFree
          ? await this.#unlessStopped(leases.acquireLease(name, holder, lease, this.#above))
          : undefined;
        if (taken === 'stopped') return undefined;
        if (taken !== undefined) return { lease: taken, until: asked + this.#times.leadFor };
      } catch (error) {
        this.#failed(error);
      }
      await this.#options.pause(this.#times.beatEvery, this.#stopping);
    }
    return undefined;
  }

  async #lead(taken: { readonly lease: Lease; readonly until: number }): Promise<void> {
    const { name, begin, log, leases } = this.#options;
    const details = { lease: name, token: taken.lease.token };
    log.info(details, 'This process leads');
    this.leading = true;
    const work = begin({ token: taken.lease.token });
    const ending = new AbortController();
    let greater: number | undefined;
    void work.fenced.then(({ token }) => {
      greater = token;
      ending.abort();
    });
    const held = await this.#hold(taken.lease, taken.until, AbortSignal.any([this.#stopping, ending.signal]));
    this.leading = false;
    this.#above = Math.max(this.#above, greater ?? 0);
    if (greater !== undefined) log.warn({ ...details, greater }, 'A greater token was met: this process leads no more');
    else if (held === undefined) log.warn(details, 'This process no longer leads and stops what it does');
    try {
      await work.stop();
    } catch (error) {
      log.warn({ ...details, reason: nameOf(error) }, 'What this process led did not stop cleanly');
    }
    if (held !== undefined) await leases.releaseLease(name, held).catch((error: unknown) => this.#failed(error));
    // Whoever is faster takes it: one that could not go on lets others try first.
    if (!this.#stopping.aborted) await this.#options.pause(this.#times.beatEvery, this.#stopping);
  }

  /** Beats until the signal aborts, then resolves with the lease; undefined when it is lost, or might be soon. */
  async #hold(taken: Lease, leadUntil: number, ending: AbortSignal): Promise<Lease | undefined> {
    const { monotonic, pause } = this.#options;
    let [lease, until] = [taken, leadUntil];
    while (!ending.aborted) {
      await pause(Math.min(this.#times.beatEvery, Math.max(0, until - monotonic())), ending);
      if (ending.aborted) return lease;
      const asked = monotonic();
      if (asked >= until) return undefined;
      const beat = await this.#beat(lease, until);
      if (beat === 'lost') return undefined;
      if (beat === 'unknown') continue;
      [lease, until] = [beat, asked + this.#times.leadFor];
    }
    return lease;
  }

  /** Asks no longer than the lead lasts. An answer that comes later is not waited for. */
  async #beat(lease: Lease, until: number): Promise<Lease | 'lost' | 'unknown'> {
    const { name, leases, monotonic, pause } = this.#options;
    const answered = new AbortController();
    const late = pause(until - monotonic(), answered.signal).then(() => 'unknown' as const);
    const beaten = leases.renewLease(name, lease).then(
      (next) => {
        this.failure = undefined;
        return next ?? ('lost' as const);
      },
      (error: unknown) => {
        this.#failed(error);
        return 'unknown' as const;
      },
    );
    try {
      return await Promise.race([beaten, late]);
    } finally {
      answered.abort();
    }
  }

  /** Records that hang keep nobody from stopping; a lease that is taken then lapses. */
  async #unlessStopped<T>(asked: Promise<T>): Promise<T | 'stopped'> {
    const { promise: stopped, resolve } = Promise.withResolvers<'stopped'>();
    const tell = (): void => resolve('stopped');
    this.#stopping.addEventListener('abort', tell);
    try {
      return await Promise.race([asked, stopped]);
    } finally {
      this.#stopping.removeEventListener('abort', tell);
    }
  }

  #failed(error: unknown): void {
    if (this.failure === undefined)
      this.#options.log.error({ lease: this.#options.name, reason: nameOf(error) }, 'The lease cannot be asked for');
    this.failure = 'it cannot be told who leads, because the records do not answer';
  }
}

function isSame(a: Lease | undefined, b: Lease | undefined): boolean {
  return a?.token === b?.token && a?.beat === b?.beat && a?.holder === b?.holder;
}

/** Messages of unknown errors may quote what nobody may read. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
