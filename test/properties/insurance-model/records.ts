// What the model of a policy records beside its state.
import type { Day } from './days.ts';
import type { Amounts, Term } from './timeline.ts';

export type Kind = 'premium' | 'premium_change' | 'return_premium' | 'premium_reinstated';

/** "One entry per term and event." */
export interface ModelTransaction {
  readonly kind: Kind;
  readonly amounts: Amounts;
  readonly date: Day;
  readonly term: Pick<Term, 'number' | 'from' | 'through'>;
  /** Events that map the timeline are numbered in the order of the log; a move of a term has no number. */
  readonly event: number;
}

export interface EndFacts {
  readonly day: Day;
  readonly initiator: string;
  readonly returnPremium?: bigint | null;
  /** The terms before changes were taken back. */
  readonly before?: readonly Term[];
}

/** A change with the terms that it changed. */
export interface ModelChange {
  readonly from: Day;
  readonly before: readonly Term[];
  readonly after: readonly Term[];
  readonly changedBefore: Day | null;
}
