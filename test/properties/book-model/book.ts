import * as fc from 'fast-check';
import {
  acceptClaimOffer,
  approveClaim,
  denyClaim,
  payClaim,
  rejectClaimOffer,
  reviewClaim,
  sendClaimForApproval,
  sendClaimOffer,
} from '../../../commands/claim/claim-moves.ts';
import { importClaim } from '../../../commands/claim/import-claim.ts';
import { submitClaim } from '../../../commands/claim/submit-claim.ts';
import { updateCustomer } from '../../../commands/customer/update-customer.ts';
import type { AnyCommand } from '../../../src/command-handling/command.ts';
import { merchantStream } from '../../../src/domain/merchant/merchant.ts';
import { ADMIN, type CommandHarness, LIVE, MERCHANT } from '../../support/command-harness.ts';
import type { Models } from '../insurance-model/any-point.ts';
import { ClaimModel } from './claim-model.ts';
import { Comparison, expectSame } from '../insurance-model/comparison.ts';
import { localDay, plus } from '../insurance-model/days.ts';
import { anyContract, anyMinutes, anyStep } from '../insurance-model/any-life.ts';
import { begin, type Contract, firstNow, type Step } from '../insurance-model/lives.ts';
import { PartyModel } from './party-model.ts';
import { BORN, outcomeOf } from '../insurance-model/real-policy.ts';
import { format } from '../insurance-model/timeline.ts';

/** What happens next to a book of two policies of one customer; `which` selects one of them, or one of the claims. */
export type BookStep =
  | { readonly kind: 'policy'; readonly which: number; readonly step: Step }
  | { readonly kind: 'claim'; readonly which: number; readonly amount: bigint; readonly incident: number }
  | {
      readonly kind: 'imported claim';
      readonly which: number;
      readonly amount: bigint;
      /** Days since it was filed, and from then until it was resolved. */
      readonly filed: number;
      readonly open: number;
      readonly status: keyof typeof STAGES;
      readonly approved: bigint | null;
    }
  /** `next` selects one of the stages; the amount is in per cent of the one before, null: left out. */
  | { readonly kind: 'move'; readonly which: number; readonly next: number; readonly percent: number | null }
  | { readonly kind: 'customer'; readonly by: number; readonly address: string }
  | { readonly kind: 'merchant'; readonly address: string };

/** The stage of an imported claim by its status. */
const STAGES = {
  pending: null,
  approved: 'approved',
  offer_sent: 'offer sent',
  offer_accepted: 'offer accepted',
  paid: 'paid',
  denied: 'denied',
};

const which = fc.nat(1);
const amount = fc.bigInt({ min: 0n, max: 1_000_000n });
const address = fc.constantFrom('1 Marina', '2 Marina', '3 Marina');
const step = (kind: BookStep['kind'], facts: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record({ kind: fc.constant(kind), ...facts });

const anyBookStep = fc.oneof(
  { weight: 12, arbitrary: step('policy', { which, step: anyStep }) },
  { weight: 3, arbitrary: step('claim', { which, amount, incident: fc.integer({ min: -30, max: 0 }) }) },
  {
    weight: 2,
    arbitrary: step('imported claim', {
      ...{ which, amount, filed: fc.nat(90), open: fc.nat(60), approved: fc.option(amount) },
      status: fc.constantFrom(...Object.keys(STAGES)),
    }),
  },
  {
    weight: 8,
    arbitrary: step('move', {
      which: fc.nat(4),
      next: fc.nat(11),
      percent: fc.option(fc.integer({ min: 0, max: 100 })),
    }),
  },
  { weight: 1, arbitrary: step('customer', { by: fc.nat(2), address }) },
  { weight: 1, arbitrary: step('merchant', { address }) },
) as fc.Arbitrary<BookStep>;

/** More runs for a long run by hand. */
export const RUNS = Number(process.env['MODEL_RUNS'] ?? 150);

/** A book, when it begins, and what happens to it. The second policy begins some minutes after the first. */
export const anyBookHistory = fc
  .record({
    contracts: fc.tuple(anyContract.map(sameBirth), anyContract.map(sameBirth)),
    minutes: anyMinutes,
    between: fc.nat(600),
    steps: fc.array(anyBookStep, { maxLength: 30, size: 'max' }),
  })
  .filter(({ contracts, minutes, between }) =>
    contracts.every((contract, index) => begin(contract, firstNow(minutes + index * between)).code === undefined),
  );
export type BookHistory = typeof anyBookHistory extends fc.Arbitrary<infer T> ? T : never;

/** The policies have one holder. */
function sameBirth(contract: Contract): Contract {
  const { beginning } = contract;
  if (beginning.by === 'import') return contract;
  return { ...contract, beginning: { ...beginning, request: { ...beginning.request, born: BORN } } };
}

type Move = readonly [stage: string, command: AnyCommand, amount: string | null, text: string | null];
const FIRST_MOVE: Move = ['under review', reviewClaim, null, 'note'];
const MOVES: readonly Move[] = [
  FIRST_MOVE,
  ['pending approval', sendClaimForApproval, null, 'note'],
  ['approved', approveClaim, 'approved_amount', null],
  ['offer sent', sendClaimOffer, 'offer_amount', null],
  ['offer accepted', acceptClaimOffer, null, null],
  ['offer rejected', rejectClaimOffer, null, 'reason'],
  ['paid', payClaim, 'paid_amount', null],
  ['denied', denyClaim, null, 'reason'],
];

/** A book in the real stores, and the models of everything in it, which are given the same commands. */
export class Book implements Models {
  readonly policies: Comparison[] = [];
  readonly claims: { readonly id: string; readonly policyId: string; readonly model: ClaimModel }[] = [];
  readonly customer: PartyModel<{ readonly address: string | null }>;
  readonly merchant: PartyModel<{ readonly address: string | null }>;
  /** When a step was taken. */
  readonly instants: string[] = [];
  readonly harness: CommandHarness;

  private constructor(first: Comparison) {
    this.harness = first.harness;
    this.policies.push(first);
    const { now } = this.harness;
    this.customer = new PartyModel({ at: now, day: localDay(now, first.model.zone) }, { address: null });
    this.merchant = new PartyModel({ at: now, day: localDay(now, 'UTC') }, { address: null });
    this.instants.push(now);
  }

  static async after({ contracts, minutes, between, steps }: BookHistory): Promise<Book> {
    const [first, second] = contracts;
    const book = new Book(await requirePolicy(Comparison.begin(first, firstNow(minutes))));
    const later = firstNow(minutes + between);
    book.policies.push(await requirePolicy(Comparison.begin(second, later, book.policies)));
    book.instants.push(later);
    for (const step of steps) await book.take(step);
    return book;
  }

  policy(number: number): Comparison {
    const found = this.policies[number];
    if (found === undefined) throw new Error('a book has two policies');
    return found;
  }

  async customerId(): Promise<string> {
    return (await this.policy(0).real.contract()).customerId;
  }

  /** Takes the step in both, and checks that they accept or refuse it alike. */
  async take(next: BookStep): Promise<void> {
    const { now } = this.harness;
    switch (next.kind) {
      case 'policy':
        await this.policy(next.which).take(next.step);
        break;
      case 'claim':
        await this.#file(next);
        break;
      case 'imported claim':
        await this.#import(next);
        break;
      case 'move':
        await this.#move(next);
        break;
      case 'customer': {
        const by = this.policies[next.by];
        const sender = by === undefined ? { actor: ADMIN } : { actor: MERCHANT, environment: by.real.environment };
        const input = { customer_id: await this.customerId(), address: next.address };
        await this.harness.run(updateCustomer, input, sender);
        const recorded = { at: now, day: localDay(now, by?.model.zone ?? 'UTC') };
        this.customer.change(recorded, { address: next.address });
        break;
      }
      case 'merchant': {
        const data = { tenantId: LIVE.merchantId, changes: { address: next.address } };
        await this.harness.given(merchantStream(LIVE.merchantId), { type: 'MerchantUpdated', data });
        this.merchant.change({ at: now, day: localDay(now, 'UTC') }, { address: next.address });
        break;
      }
      default:
        next satisfies never;
    }
    this.instants.push(this.harness.now);
  }

  async #file({ which: number, amount: claimed, incident }: Extract<BookStep, { kind: 'claim' }>): Promise<void> {
    const { real, model } = this.policy(number);
    const { now } = this.harness;
    const today = localDay(now, model.zone);
    const day = plus(today, incident);
    const details = { claim_type: 'Theft', incident_date: day, claim_amount: format(claimed) };
    const filed = await real.run(submitClaim, { policy_id: real.policyId, claim_details: details });
    const isCovered = model.covers(day, now);
    expectSame(filed, isCovered ? {} : { code: 'incident_not_covered' });
    if (isCovered) await this.#add(number, new ClaimModel(model.zone, claimed, { at: now, day: today }));
  }

  async #import(row: Extract<BookStep, { kind: 'imported claim' }>): Promise<void> {
    const { real, model } = this.policy(row.which);
    const { now } = this.harness;
    const today = localDay(now, model.zone);
    const [filed, latest] = [plus(today, -row.filed), plus(today, row.open - row.filed)];
    const isFinal = row.status === 'paid' || row.status === 'denied';
    const day = !isFinal ? filed : latest > today ? today : latest;
    const approved = row.status === 'pending' ? null : row.approved;
    const columns = {
      ...{ claim_reference_number: `OLD-${this.claims.length}`, policy_number: await real.policyNumber() },
      claim_type: 'Fire',
      ...{ incident_date: filed, filed_on: filed, claim_amount: format(row.amount), claim_status: row.status },
      ...{ approved_amount: format(approved) ?? '', resolved_on: isFinal ? day : '' },
    };
    const outcome = await outcomeOf(
      async () => await this.harness.run(importClaim, columns, { environment: real.environment }),
    );
    const isCovered = model.covers(filed, now);
    expectSame(outcome, isCovered ? {} : { code: 'incident_outside_every_term' });
    if (!isCovered) return;
    const imported = new ClaimModel(model.zone, row.amount, { at: now, day: filed });
    const stage = STAGES[row.status];
    if (stage !== null) imported.importStage(stage, approved, { at: now, day });
    await this.#add(row.which, imported);
  }

  async #add(number: number, model: ClaimModel): Promise<void> {
    const filing = (await this.harness.log()).findLast(({ type }) => /^Claim(Submitted|Imported)$/.test(type));
    const id = filing?.stream.slice('claim-'.length) ?? '';
    this.claims.push({ id, policyId: this.policy(number).real.policyId, model });
  }

  /** Mostly a move that is allowed. */
  async #move({ which: number, next, percent }: Extract<BookStep, { kind: 'move' }>): Promise<void> {
    const claim = this.claims[number % Math.max(1, this.claims.length)];
    if (claim === undefined) return;
    const { id, model } = claim;
    const allowed = MOVES.filter(([stage]) => model.allows(stage));
    const choice = next < 10 && allowed.length > 0 ? allowed : MOVES;
    const [stage, command, amountField, textField] = choice[next % choice.length] ?? FIRST_MOVE;
    const part = percent === null || amountField === null ? null : (model.limit * BigInt(percent)) / 100n;
    const note = textField === null ? null : `${stage} ${this.instants.length}`;
    const input = {
      claim_id: id,
      ...(part === null ? {} : { [String(amountField)]: format(part) }),
      ...(note === null ? {} : { [String(textField)]: note }),
    };
    const code = model.move(stage, part, note, this.harness.now);
    const moved = await outcomeOf(async () => await this.harness.run(command, input, { actor: ADMIN }));
    expectSame(moved, code === undefined ? {} : { code });
  }
}

async function requirePolicy(begun: Promise<Comparison | undefined>): Promise<Comparison> {
  const policy = await begun;
  if (policy === undefined) throw new Error('the policies of a book begin');
  return policy;
}
