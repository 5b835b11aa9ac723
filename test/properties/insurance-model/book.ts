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
import { format } from './amounts.ts';
import { ClaimModel } from './claim-model.ts';
import { Comparison, expectSame } from './comparison.ts';
import { localDay, plus } from './days.ts';
import { PartyModel } from './party-model.ts';
import { codeOf } from './real-policy.ts';
import { type AnyBeginning, anyBeginning, anyStep, anyZone, type Step } from './steps.ts';

/** What happens next to a book of two policies of one customer; `which` selects one of them, or one of the claims. */
export type BookStep =
  | { readonly kind: 'policy'; readonly which: number; readonly step: Exclude<Step, { kind: 'claim' }> }
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

/** How the book begins: the second policy some minutes after the first. */
export interface AnyBook {
  readonly policies: readonly { readonly beginning: AnyBeginning; readonly zone: string }[];
  readonly minutes: number;
}

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
  { weight: 12, arbitrary: step('policy', { which, step: anyStep.filter(({ kind }) => kind !== 'claim') }) },
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

const anyBook: fc.Arbitrary<AnyBook> = fc.record({
  policies: fc.array(fc.record({ beginning: anyBeginning, zone: anyZone }), { minLength: 2, maxLength: 2 }),
  minutes: fc.integer({ min: 0, max: 600 }),
});

/** More runs for a long run by hand. */
export const RUNS = Number(process.env['MODEL_RUNS'] ?? 150);
/** A book, when it begins, and what happens to it. Until the quotes expire, less the minutes between the policies. */
export const anyBookHistory = fc.record({
  beginning: anyBook,
  minutes: fc.integer({ min: 0, max: 29 * 1440 - 600 }),
  steps: fc.array(anyBookStep, { maxLength: 30, size: 'max' }),
});
export type BookHistory = typeof anyBookHistory extends fc.Arbitrary<infer T> ? T : never;
const FIRST_INSTANT = Date.parse('2026-03-01T00:00:00Z');

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
export class Book {
  readonly policies: Comparison[] = [];
  readonly claims: { readonly id: string; readonly policyId: string; readonly model: ClaimModel }[] = [];
  readonly customer: PartyModel<{ readonly address: string | null }>;
  readonly merchant: PartyModel<{ readonly address: string | null }>;
  /** When a step was taken. */
  readonly instants: string[] = [];
  readonly harness: CommandHarness;

  private constructor(first: Comparison) {
    const { harness } = first.real;
    this.harness = harness;
    this.policies.push(first);
    const { now } = harness;
    this.customer = new PartyModel({ at: now, day: localDay(now, first.model.zone) }, { address: null });
    this.merchant = new PartyModel({ at: now, day: localDay(now, 'UTC') }, { address: null });
    this.instants.push(now);
  }

  static async begin({ policies: [first, second], minutes }: AnyBook, now: string): Promise<Book> {
    if (first === undefined || second === undefined) throw new Error('a book has two policies');
    const book = new Book(await Comparison.begin(first.beginning, first.zone, now));
    const later = new Date(Date.parse(now) + minutes * 60_000).toISOString();
    book.policies.push(await Comparison.begin(second.beginning, second.zone, later, book.policies));
    book.instants.push(later);
    return book;
  }

  static async after({ beginning, minutes, steps }: BookHistory): Promise<Book> {
    const book = await Book.begin(beginning, new Date(FIRST_INSTANT + minutes * 60_000).toISOString());
    for (const step of steps) await book.take(step);
    return book;
  }

  policy(number: number): Comparison {
    const found = this.policies[number];
    if (found === undefined) throw new Error('a book has two policies');
    return found;
  }

  async customerId(): Promise<string> {
    return (await contractOf(this.policy(0))).customerId;
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
    const code = await real.run(submitClaim, { policy_id: real.policyId, claim_details: details });
    expectSame(code, model.claim(day, now));
    if (code === undefined) await this.#add(number, new ClaimModel(model.zone, claimed, { at: now, day: today }));
  }

  async #import(row: Extract<BookStep, { kind: 'imported claim' }>): Promise<void> {
    const { real, model } = this.policy(row.which);
    const { now } = this.harness;
    const today = localDay(now, model.zone);
    const [filed, latest] = [plus(today, -row.filed), plus(today, row.open - row.filed)];
    const isFinal = row.status === 'paid' || row.status === 'denied';
    const day = !isFinal ? filed : latest > today ? today : latest;
    const approved = row.status === 'pending' ? null : row.approved;
    const { policyNumber } = await contractOf(this.policy(row.which));
    const columns = {
      ...{ claim_reference_number: `OLD-${this.claims.length}`, policy_number: policyNumber, claim_type: 'Fire' },
      ...{ incident_date: filed, filed_on: filed, claim_amount: format(row.amount), claim_status: row.status },
      ...{ approved_amount: format(approved) ?? '', resolved_on: isFinal ? day : '' },
    };
    const code = await codeOf(
      async () => await this.harness.run(importClaim, columns, { environment: real.environment }),
    );
    const isRefused = model.claim(filed, now).length > 0;
    expectSame(code, isRefused ? ['incident_outside_every_term'] : []);
    if (code !== undefined) return;
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
    const code = await codeOf(async () => await this.harness.run(command, input, { actor: ADMIN }));
    expectSame(code, model.move(stage, part, note, this.harness.now));
  }
}

async function contractOf({ real }: Comparison) {
  const [first] = await real.events();
  return first?.data as { readonly customerId: string; readonly policyNumber: string };
}
