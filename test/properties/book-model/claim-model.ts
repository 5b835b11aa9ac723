import { type Absent, isIn, type PointInTime, type Recorded } from '../insurance-model/state.ts';
import { format } from '../insurance-model/timeline.ts';
import { type Day, localDay } from '../insurance-model/days.ts';

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

interface Amounts {
  readonly approved: bigint | null;
  /** The open or accepted offer. */
  readonly offer: bigint | null;
  readonly paid: bigint | null;
}

interface Entry {
  readonly stage: string;
  readonly recorded: Recorded;
  readonly amounts: Partial<Amounts>;
  /** Note or reason. */
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

/** What the contract says of one claim. Its facts are kept with the instant and the business day of each. */
export class ClaimModel {
  readonly zone: string;
  readonly claimed: bigint;
  readonly #entries: Entry[];

  constructor(zone: string, claimed: bigint, filed: Recorded) {
    this.zone = zone;
    this.claimed = claimed;
    this.#entries = [{ stage: 'submitted', recorded: filed, amounts: {}, text: null }];
  }

  get recordedAt(): string {
    return this.#entries[0]?.recorded.at ?? '';
  }

  get stage(): string {
    return this.#entries.at(-1)?.stage ?? '';
  }

  /** "Left out, each is the one before it": the limit of the next amount. An approval without an amount is one of the claim amount. */
  get limit(): bigint {
    const { approved, offer } = amountsOf(this.#entries);
    return offer ?? approved ?? this.claimed;
  }

  allows(stage: string): boolean {
    return NEXT[this.stage]?.includes(stage) === true;
  }

  /** @param amount of an approval, an offer or a payment; null when it is left out */
  move(stage: string, amount: bigint | null, text: string | null, now: string): string | undefined {
    if (!this.allows(stage)) return 'claim_move_not_allowed';
    const amounts = amountsOfMove(stage, amount ?? this.limit);
    this.#entries.push({ stage, recorded: { at: now, day: localDay(now, this.zone) }, amounts, text });
    return undefined;
  }

  /** Adds the stage that an imported claim has reached: "an open offer is `approved_amount`, else `claim_amount`". */
  importStage(stage: string, approved: bigint | null, recorded: Recorded): void {
    const offer = stage.startsWith('offer') ? (approved ?? this.claimed) : null;
    this.#entries.push({ stage, recorded, amounts: { approved, offer }, text: null });
  }

  /** Returns what was known of the claim at an instant about a day. */
  at(point: PointInTime): PastClaim | Absent {
    if (this.recordedAt > point.knownAt) return 'not_known_yet';
    const [filing, ...moves] = this.#entries;
    const entries = moves.filter(({ recorded }) => isIn(recorded, point));
    if (filing === undefined || (!isIn(filing.recorded, point) && entries.length === 0)) return 'not_in_force_yet';
    const all = [filing, ...entries];
    const last = all.at(-1) ?? filing;
    const { approved, offer, paid } = amountsOf(all);
    const texts = all.flatMap(({ text }) => text ?? []);
    return {
      claim_status: STATUS[last.stage] ?? last.stage,
      claim_amount: format(this.claimed),
      settlement: {
        approved_amount: format(approved),
        offer_amount: format(offer),
        paid_amount: format(paid),
      },
      timeline: all.map(({ stage, recorded }) => [stage, recorded.day]),
      notes: texts.length === 0 ? null : texts.join('\n'),
      filed: filing.recorded.day,
      resolved: last.stage === 'paid' || last.stage === 'denied' ? last.recorded.day : null,
    };
  }
}

function amountsOf(entries: readonly Entry[]): Amounts {
  const none: Amounts = { approved: null, offer: null, paid: null };
  return entries.reduce((amounts, entry) => ({ ...amounts, ...entry.amounts }), none);
}

function amountsOfMove(stage: string, amount: bigint): Partial<Amounts> {
  if (stage === 'approved') return { approved: amount };
  if (stage === 'offer sent') return { offer: amount };
  // A rejected offer limits nothing.
  if (stage === 'offer rejected') return { offer: null };
  return stage === 'paid' ? { paid: amount } : {};
}
