import type { PolicyEvent } from '#domain/policy/policy-events.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { expect } from '@jest/globals';
import { importClaim } from '#commands/claim/import-claim.ts';
import { submitClaim } from '#commands/claim/submit-claim.ts';
import { updateCustomer } from '#commands/customer/update-customer.ts';
import { merchantStream } from '#domain/merchant/merchant.ts';
import { policyTransactions } from '#projections/transactions/policy-transactions.ts';
import { ADMIN, type CommandHarness, LIVE, MERCHANT } from '../../support/command-harness.ts';
import type { Models } from '../insurance-model/any-point.ts';
import { ClaimModel } from './claim-model.ts';
import { type BookHistory, type BookStep, STAGES } from './any-book.ts';
import { coverageNameOf, moveOf } from './claim-moves.ts';
import { Comparison, expectSame } from '../insurance-model/comparison.ts';
import { type Day, later, localDay, plus } from '../insurance-model/days.ts';
import { type Expected, expectedOf, firstNow } from '../insurance-model/lives.ts';
import type { PolicyModel } from '../insurance-model/policy.ts';
import { PartyModel } from './party-model.ts';
import { type Actual, outcomeOf } from '../insurance-model/real-policy.ts';
import { format } from '../insurance-model/timeline.ts';

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
    const next = firstNow(minutes + between);
    book.policies.push(await requirePolicy(Comparison.begin(second, next, book.policies)));
    book.instants.push(next);
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

  async #file({
    which: number,
    amount,
    incident,
    isClipped,
    coverage,
  }: Extract<BookStep, { kind: 'claim' }>): Promise<void> {
    const { real, model } = this.policy(number);
    const { now } = this.harness;
    model.settle(now);
    const day = clipped(plus(localDay(now, model.zone), incident), model, isClipped);
    const coverageName = coverage === null ? null : coverageNameOf(model, day, coverage);
    const expected = expectedOf(() => ClaimModel.file(model, { claimed: amount, incident: day, coverageName }, now));
    const details = { claim_type: 'Theft', incident_date: day, claim_amount: format(amount) };
    const named = coverageName === null ? {} : { coverage_name: coverageName };
    const filed = await real.run(submitClaim, { policy_id: real.policyId, claim_details: { ...details, ...named } });
    await this.#add(number, filed, expected);
  }

  async #import(row: Extract<BookStep, { kind: 'imported claim' }>): Promise<void> {
    const { real, model } = this.policy(row.which);
    const { now } = this.harness;
    const today = localDay(now, model.zone);
    const filed = clipped(plus(today, -row.filed), model, row.isClipped && model.last.from <= today);
    const latest = plus(filed, row.open);
    const isFinal = ['paid', 'denied', 'withdrawn'].includes(row.status);
    const day = !isFinal ? filed : latest > today ? today : latest;
    const approved = row.status === 'pending' ? null : row.approved;
    const paid = row.status === 'paid' ? row.paid : null;
    const columns = {
      claim_reference_number: `OLD-${this.claims.length}`,
      policy_number: await real.policyNumber(),
      claim_type: 'Fire',
      incident_date: filed,
      filed_on: filed,
      claim_amount: format(row.amount),
      claim_status: row.status,
      approved_amount: format(approved) ?? '',
      paid_amount: format(paid) ?? '',
      resolved_on: isFinal ? day : '',
    };
    const stage = STAGES[row.status];
    const settlement = stage === null ? null : { stage, approved, paid };
    const expected = expectedOf(() =>
      ClaimModel.import(model, { claimed: row.amount, incident: filed }, { settlement, filed, day, now }),
    );
    const imported = await outcomeOf(
      async () => await this.harness.run(importClaim, columns, { environment: real.environment }),
    );
    await this.#add(row.which, imported, expected);
  }

  async #add(number: number, actual: Actual, { code, answer }: Expected<ClaimModel>): Promise<void> {
    expectSame(actual, code === undefined ? {} : { code });
    if (answer === undefined) return;
    const filing = (await this.harness.log()).findLast(({ type }) => /^Claim(Submitted|Imported)$/.test(type));
    const id = filing?.stream.slice('claim-'.length) ?? '';
    this.claims.push({ id, policyId: this.policy(number).real.policyId, model: answer });
  }

  async #move({ which: number, ...any }: Extract<BookStep, { kind: 'move' }>): Promise<void> {
    const claim = this.claims[number % Math.max(1, this.claims.length)];
    if (claim === undefined) return;
    const { id: claim_id, model } = claim;
    const { command, input, payment, run } = moveOf(model, any, this.harness.now, `Text ${this.instants.length}`);
    const { code } = expectedOf(run);
    const payment_id = payment === undefined ? {} : { payment_id: (await this.#paymentIds(claim_id))[payment] };
    const request = { claim_id, ...input, ...payment_id };
    const moved = await outcomeOf(async () => await this.harness.run(command, request, { actor: ADMIN }));
    expectSame(moved, code === undefined ? {} : { code });
  }

  /** Checks that the transactions of every claim are those of the model. */
  async checkPayments(): Promise<void> {
    for (const { id, policyId, model } of this.claims) {
      const events = (await this.harness.events(`policy-${policyId}`)) as RecordedEvent<PolicyEvent>[];
      const unknown = { fee: '0.00', tax: null, commission: null, term_id: null, term: null };
      const expected = model.transactions.map(({ amount, date }) => {
        const facts = { kind: 'claim_payment', amount, net: amount, date, claim_id: id, policy_id: policyId };
        return expect.objectContaining({ ...facts, ...unknown });
      });
      const found = events.flatMap(policyTransactions).map(({ transaction }) => transaction);
      expect(found.filter(({ claim_id }) => claim_id === id)).toEqual(expected);
    }
  }

  async #paymentIds(claimId: string): Promise<readonly string[]> {
    const events = await this.harness.events(`claim-${claimId}`);
    const paid = events.filter(({ type }) => type === 'ClaimPaid' || type === 'ClaimSettlementImported');
    return paid.flatMap(({ data }) => (data as { payment: { paymentId: string } | null }).payment?.paymentId ?? []);
  }
}

/** Returns a day, or the first day of the first term where the day is before it. */
function clipped(day: Day, { agreed }: PolicyModel, isClipped: boolean): Day {
  return isClipped ? later(day, agreed[0]?.from ?? day) : day;
}

async function requirePolicy(begun: Promise<Comparison | undefined>): Promise<Comparison> {
  const policy = await begun;
  if (policy === undefined) throw new Error('the policies of a book begin');
  return policy;
}
