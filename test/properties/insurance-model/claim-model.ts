import { format } from './amounts.ts';
import { type Day, localDay } from './days.ts';
import { type Absent, isIn, type PointInTime } from './point-in-time.ts';
import type { Recorded, Refusals } from './policy-model.ts';

/** "submitted → under review → pending approval → approved → paid, …; denied from any state before approved and from …" */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  submitted: ['under review', 'denied'],
  'under review': ['pending approval', 'denied'],
  'pending approval': ['approved', 'denied'],
  approved: ['offer sent', 'paid'],
  'offer sent': ['offer accepted', 'offer rejected', 'denied'],
  'offer rejected': ['offer sent', 'denied'],
  'offer accepted': ['paid'],
  paid: [],
  denied: [],
};

const STATUS: Readonly<Record<string, string>> = {
  submitted: 'pending',
  'under review': 'pending',
  'pending approval': 'pending',
  'offer sent': 'offer_sent',
  'offer accepted': 'offer_accepted',
  'offer rejected': 'approved',
};

interface Entry {
  readonly stage: string;
  readonly recorded: Recorded;
  readonly amount: bigint | null;
  readonly text: string | null;
}

/** What is known of a claim. */
export interface PastClaim {
  readonly claim_status: string;
  readonly claim_amount: string | null;
  readonly settlement: {
    readonly approved_amount: string | null;
    readonly offer_amount: string | null;
    readonly paid_amount: string | null;
  };
  readonly timeline: readonly (readonly [name: string, day: Day])[];
  readonly notes: string | null;
  readonly filed: Day;
  readonly resolved: Day | null;
}

/** What the contract says of one claim. Its facts are kept with the moment and the business day of each. */
export class ClaimModel {
  readonly zone: string;
  readonly claimed: bigint;
  readonly #entries: Entry[];

  constructor(zone: string, claimed: bigint, filed: Recorded) {
    this.zone = zone;
    this.claimed = claimed;
    this.#entries = [{ stage: 'submitted', recorded: filed, amount: null, text: null }];
  }

  get recordedAt(): string {
    return this.#entries[0]?.recorded.at ?? '';
  }

  get stage(): string {
    return this.#entries.at(-1)?.stage ?? '';
  }

  /** "Left out, each is the one before it": the limit of the next amount, and what it is without one. */
  get limit(): bigint {
    return this.#entries.findLast(({ amount }) => amount !== null)?.amount ?? this.claimed;
  }

  allows(stage: string): boolean {
    return NEXT[this.stage]?.includes(stage) === true;
  }

  /** @param amount of an approval, an offer or a payment; null when it is left out @param text note or reason */
  move(stage: string, amount: bigint | null, text: string | null, now: string): Refusals {
    if (!this.allows(stage)) return ['claim_move_not_allowed'];
    const isAmount = stage === 'approved' || stage === 'offer sent' || stage === 'paid';
    // A rejected offer is no limit any more.
    const rejected = stage === 'offer rejected' ? this.#approved() : null;
    const recorded = { at: now, day: localDay(now, this.zone) };
    this.#entries.push({ stage, recorded, amount: isAmount ? (amount ?? this.limit) : rejected, text });
    return [];
  }

  /** Adds the final move of an imported claim, which has no amount. */
  resolveImported(stage: 'paid' | 'denied', recorded: Recorded): void {
    this.#entries.push({ stage, recorded, amount: null, text: null });
  }

  #approved(): bigint | null {
    return this.#entries.findLast(({ stage }) => stage === 'approved')?.amount ?? null;
  }

  /** Returns what was known of the claim at a moment about a day. */
  at(point: PointInTime): PastClaim | Absent {
    if (this.recordedAt > point.knownAt) return 'not_known_yet';
    const [filing, ...moves] = this.#entries;
    const entries = moves.filter(({ recorded }) => isIn(recorded, point));
    if (filing === undefined || (!isIn(filing.recorded, point) && entries.length === 0)) return 'not_in_force_yet';
    const all = [filing, ...entries];
    const last = all.at(-1) ?? filing;
    const amountOf = (stage: string) => format(all.findLast((entry) => entry.stage === stage)?.amount ?? null);
    const offers = all.filter(({ stage }) => stage === 'offer sent' || stage === 'offer rejected');
    const isOffered = offers.at(-1)?.stage === 'offer sent';
    const texts = all.flatMap(({ text }) => text ?? []);
    return {
      claim_status: STATUS[last.stage] ?? last.stage,
      claim_amount: format(this.claimed),
      settlement: {
        approved_amount: amountOf('approved'),
        offer_amount: isOffered ? amountOf('offer sent') : null,
        paid_amount: amountOf('paid'),
      },
      timeline: all.map(({ stage, recorded }) => [stage, recorded.day]),
      notes: texts.length === 0 ? null : texts.join('\n'),
      filed: filing.recorded.day,
      resolved: last.stage === 'paid' || last.stage === 'denied' ? last.recorded.day : null,
    };
  }
}
