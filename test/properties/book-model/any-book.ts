// Any book of two policies of one customer with their claims, mostly one that could be.
import * as fc from 'fast-check';
import { anyContract, anyMinutes, anyStep } from '../insurance-model/any-life.ts';
import { begin, type Contract, firstNow, type Step } from '../insurance-model/lives.ts';
import { BORN } from '../insurance-model/real-policy.ts';
import { ANY_MOVE, type AnyMove, anyAmount, anyCoverage } from './claim-moves.ts';

/** What happens next to a book of two policies of one customer; `which` selects one of them, or one of the claims. */
export type BookStep =
  | { readonly kind: 'policy'; readonly which: number; readonly step: Step }
  | {
      readonly kind: 'claim';
      readonly which: number;
      readonly amount: bigint;
      readonly incident: number;
      /** Not before the first term. */
      readonly isClipped: boolean;
      readonly coverage: number | null;
    }
  | {
      readonly kind: 'imported claim';
      readonly which: number;
      readonly amount: bigint;
      /** Days since it was filed, and from then until it was resolved. */
      readonly filed: number;
      readonly open: number;
      readonly isClipped: boolean;
      readonly status: keyof typeof STAGES;
      readonly approved: bigint | null;
      readonly paid: bigint | null;
    }
  | ({ readonly kind: 'move'; readonly which: number } & AnyMove)
  | { readonly kind: 'customer'; readonly by: number; readonly address: string }
  | { readonly kind: 'merchant'; readonly address: string };

/** The stage of an imported claim by its status. */
export const STAGES = {
  pending: null,
  approved: 'approved',
  offer_sent: 'offer sent',
  offer_accepted: 'offer accepted',
  paid: 'paid',
  denied: 'denied',
  withdrawn: 'withdrawn',
};

const which = fc.nat(1);
const address = fc.constantFrom('1 Marina', '2 Marina', '3 Marina');
const step = (kind: BookStep['kind'], facts: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record({ kind: fc.constant(kind), ...facts });

const isClipped = fc.constantFrom(true, true, false);
const claim = step('claim', {
  which,
  isClipped,
  amount: anyAmount,
  coverage: anyCoverage,
  incident: fc.integer({ min: -30, max: 0 }),
});
const importedClaim = step('imported claim', {
  which,
  isClipped,
  amount: anyAmount,
  filed: fc.nat(90),
  open: fc.nat(60),
  approved: fc.option(anyAmount),
  paid: fc.option(anyAmount),
  status: fc.constantFrom(...Object.keys(STAGES)),
});
const move = step('move', { which: fc.nat(4), ...ANY_MOVE });

const anyBookStep = fc.oneof(
  { weight: 12, arbitrary: step('policy', { which, step: anyStep }) },
  { weight: 4, arbitrary: claim },
  { weight: 2, arbitrary: importedClaim },
  { weight: 12, arbitrary: move },
  { weight: 1, arbitrary: step('customer', { by: fc.nat(2), address }) },
  { weight: 1, arbitrary: step('merchant', { address }) },
) as fc.Arbitrary<BookStep>;

/** Many moves of few claims under policies that stay in force. */
const claimStep = fc.oneof(
  { weight: 2, arbitrary: step('policy', { which, step: anyStep.filter(isShort) }) },
  { weight: 2, arbitrary: claim },
  { weight: 1, arbitrary: importedClaim },
  { weight: 15, arbitrary: move },
) as fc.Arbitrary<BookStep>;

function isShort(next: Step): boolean {
  return next.kind !== 'wait' || next.minutes <= 10 * 1440;
}

/** More runs for a long run by hand. */
export const RUNS = Number(process.env['MODEL_RUNS'] ?? 60);

const historyOf = (contract: fc.Arbitrary<Contract>, next: fc.Arbitrary<BookStep>, maxLength: number) =>
  fc
    .record({
      contracts: fc.tuple(contract.map(sameBirth), contract.map(sameBirth)),
      minutes: anyMinutes,
      between: fc.nat(600),
      steps: fc.array(next, { maxLength, size: 'max' }),
    })
    .filter(({ contracts, minutes, between }) =>
      contracts.every((each, index) => begin(each, firstNow(minutes + index * between)).code === undefined),
    );

/** A book, when it begins, and what happens to it. The second policy begins some minutes after the first. */
export const anyBookHistory = fc.oneof(
  historyOf(anyContract, anyBookStep, 30),
  historyOf(anyContract.map(fromToday), claimStep, 60),
);
export type BookHistory = typeof anyBookHistory extends fc.Arbitrary<infer T> ? T : never;

/** The policies have one holder. */
function sameBirth(contract: Contract): Contract {
  const { beginning } = contract;
  if (beginning.by === 'import') return contract;
  return { ...contract, beginning: { ...beginning, request: { ...beginning.request, born: BORN } } };
}

/** The policy of a purchase is in force at once. */
function fromToday({ beginning, ...contract }: Contract): Contract {
  if (beginning.by === 'import') return { ...contract, beginning };
  const product = { ...contract.product, inspection_required: false };
  return { ...contract, product, beginning: { ...beginning, starts: 0 } };
}
