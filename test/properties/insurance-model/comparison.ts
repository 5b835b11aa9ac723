import { expect } from '@jest/globals';
import { submitClaim } from '../../../commands/claim/submit-claim.ts';
import { activatePolicy } from '../../../commands/policy/activate-policy.ts';
import { cancelPolicy } from '../../../commands/policy/cancel-policy.ts';
import { declinePolicy } from '../../../commands/policy/decline-policy.ts';
import { activateDuePolicy, renewDuePolicy } from '../../../commands/policy/due-commands.ts';
import { renewPolicy } from '../../../commands/policy/renew-policy.ts';
import { setAutoRenew } from '../../../commands/policy/set-auto-renew.ts';
import { withdrawTerm } from '../../../commands/policy/withdraw-term.ts';
import { formatMoney, parseMoney } from '../../../src/domain/values/money.ts';
import { format } from './amounts.ts';
import { type Day, localDay, plus } from './days.ts';
import { earnedOf, expectedPolicy, expectedPrices, expectedTerms, expectedTransactions } from './expected.ts';
import type { ModelCoverage } from './coverages.ts';
import { partAfter, PolicyModel, type Refusals } from './policy-model.ts';
import { importColumns, RealPolicy } from './real-policy.ts';
import type { AnyBeginning, IncidentDay, Step } from './steps.ts';

const IMPORTED_COVERAGES: readonly ModelCoverage[] = [{ name: 'fire', type: null, limit: null }];
const COVERAGES: readonly ModelCoverage[] = [
  { name: 'Collision', type: 'Damage', limit: '1000000.00' },
  { name: 'Theft of parts', type: 'Theft', limit: null },
];

/** A policy and the model of it, which are given the same commands. */
export class Comparison {
  readonly real: RealPolicy;
  readonly model: PolicyModel;

  private constructor(real: RealPolicy, model: PolicyModel) {
    this.real = real;
    this.model = model;
  }

  /** @param others policies that share harness, merchant and customer with this one */
  static async begin(
    beginning: AnyBeginning,
    zone: string,
    now: string,
    others: readonly Comparison[] = [],
  ): Promise<Comparison> {
    const real = new RealPolicy(zone, now, others[0]?.real.harness, others.length);
    const from = plus(localDay(now, zone), beginning.starts);
    if (beginning.by === 'import') {
      const { days, premium } = beginning;
      const wanted = cancellationDay(from, beginning);
      const cancelledOn = wanted !== null && wanted > localDay(now, zone) ? null : wanted;
      await real.import(importColumns(from, days, premium, cancelledOn));
      const terms = { by: 'import', days, premium, cancelledOn } as const;
      return new Comparison(real, new PolicyModel({ zone, now, from, coverages: IMPORTED_COVERAGES, terms }));
    }
    const { days, annual, renewable, needsActivation } = beginning;
    const autoRenew = beginning.autoRenew && renewable;
    const coverages = COVERAGES.map((coverage) => ({ ...coverage, description: null }));
    const offered = { renewable, inspectionRequired: needsActivation, coverages };
    await real.purchase({ effective_from: from, policy_duration: days, auto_renew: autoRenew }, annual, offered);
    const terms = { by: 'purchase', days, annual, autoRenew, renewable, needsActivation } as const;
    return new Comparison(real, new PolicyModel({ zone, now, from, coverages: COVERAGES, terms }));
  }

  get #now(): string {
    return this.real.harness.now;
  }

  get #today(): string {
    return localDay(this.#now, this.model.zone);
  }

  /** Gives both the step, and checks that they accept or refuse it alike. */
  async take(step: Step): Promise<void> {
    const { real, model } = this;
    const policy_id = real.policyId;
    switch (step.kind) {
      case 'wait':
        real.harness.now = new Date(Date.parse(this.#now) + step.minutes * 60_000).toISOString();
        return;
      case 'schedule':
        return await this.#schedule();
      case 'renew':
        return await this.#renew(step);
      case 'withdraw': {
        const from = model.terms.at(-1 - step.which)?.from ?? '2001-01-01';
        const code = await real.run(withdrawTerm, { policy_id, from, reason: 'A mistake' });
        return expectSame(code, model.withdraw(from, this.#now));
      }
      case 'cancel': {
        const code = await real.run(cancelPolicy, { policy_id, cancellation_reason: 'Sold' }, step.by);
        return expectSame(code, model.cancel(step.by === 'admin' ? 'admin' : 'Acme Bank', this.#now));
      }
      case 'activate':
        return expectSame(await real.run(activatePolicy, { policy_id }), model.activate(this.#now));
      case 'decline':
        return expectSame(await real.run(declinePolicy, { policy_id, reason: 'No' }), model.decline(this.#now));
      case 'switch': {
        const code = await real.run(setAutoRenew, { policy_id, auto_renew: step.autoRenew });
        return expectSame(code, model.switchAutoRenew(step.autoRenew, this.#now));
      }
      case 'product':
        await real.switchProduct(step.isWithdrawn);
        model.isProductWithdrawn = step.isWithdrawn;
        return;
      case 'import':
        return await this.#import(step);
      case 'claim':
        return await this.#claim(step);
      default:
        return step satisfies never;
    }
  }

  /** Runs the scheduler's commands, each as often as the model says, and one more that must change nothing. */
  async #schedule(): Promise<void> {
    const { real, model } = this;
    const policy_id = real.policyId;
    await real.run(activateDuePolicy, { policy_id });
    const before = new Set(model.terms);
    model.settle(this.#now);
    for (const { from } of model.terms.filter((term) => !before.has(term)))
      expect(await real.run(renewDuePolicy, { policy_id, term_from: from })).toBeUndefined();
    expect(await real.run(renewDuePolicy, { policy_id, term_from: plus(model.last.through, 1) })).toBeDefined();
  }

  async #renew({ after, gap, days, autoRenew, change }: Extract<Step, { kind: 'renew' }>): Promise<void> {
    const from = plus(after === 'today' ? this.#today : this.model.last.through, gap);
    const limit = change === null || change.limit === null ? null : formatMoney(change.limit);
    const items = change?.items ?? undefined;
    const details = change !== null && {
      coverage_type: change.type,
      additional_amount: formatMoney(change.amount),
      ...(limit === null ? {} : { coverage_limit: limit }),
      ...(items === undefined ? {} : { covered_items: items }),
    };
    const code = await this.real.run(renewPolicy, {
      policy_id: this.real.policyId,
      preferred_policy_start_date: from,
      policy_duration: days,
      auto_renew: autoRenew,
      include_additional_coverage: change?.kind === 'additional',
      modify_exisitng_coverage: change?.kind === 'modified',
      ...(details === false ? {} : { coverage_details: details }),
    });
    const wanted = { from, days, autoRenew, change: change && { ...change, limit, items } };
    expectSame(code, this.model.renew(wanted, this.#now));
  }

  async #import(step: Extract<Step, { kind: 'import' }>): Promise<void> {
    if (!this.model.isImported) return;
    const { days, premium } = step;
    const from = plus(this.#today, step.from);
    const row = { from, days, premium, coverages: IMPORTED_COVERAGES, cancelledOn: cancellationDay(from, step) };
    const code = await this.real.importTerm(importColumns(from, days, premium, row.cancelledOn));
    expectSame(code, this.model.importTerm(row, this.#now));
  }

  async #claim(step: Extract<Step, { kind: 'claim' }>): Promise<void> {
    const { real, model } = this;
    const incident = plus(this.#incidentDay(step.incident.on), step.incident.offset);
    const details = { claim_type: 'Theft', incident_date: incident, claim_amount: formatMoney(step.amount) };
    const code = await real.run(submitClaim, { policy_id: real.policyId, claim_details: details });
    expectSame(code, model.claim(incident, this.#now));
    if (code !== undefined) return;
    const log = await real.harness.log();
    const claimId = log.findLast(({ type }) => type === 'ClaimSubmitted')?.stream.slice('claim-'.length) ?? '';
    real.addClaim(claimId);
    const part = (percent: number | null, of: bigint) => (percent === null ? null : (of * BigInt(percent)) / 100n);
    const approved = part(step.approved, step.amount);
    const offer = part(step.offer, approved ?? step.amount);
    const paid = part(step.paid, offer ?? approved ?? step.amount);
    const amounts = Object.entries({ approved, offer, paid }).filter(([, amount]) => amount !== null);
    await real.payClaim(claimId, Object.fromEntries(amounts.map(([name, amount]) => [name, String(format(amount))])));
    model.payClaim(model.claimCount, paid ?? offer ?? approved ?? step.amount, this.#now);
  }

  #incidentDay(on: IncidentDay): string {
    const { last, end } = this.model;
    const days: Record<IncidentDay, string> = {
      today: this.#today,
      'first day': last.from,
      'last day': last.through,
      'day of the end': end?.day ?? this.#today,
    };
    return days[on];
  }

  /** Checks that the views, the terms and the transactions are those of the model. */
  async check(): Promise<void> {
    const { real, model } = this;
    const views = await real.views();
    expect(views.policy).toMatchObject(expectedPolicy(model, this.#now));
    const terms = expectedTerms(model, this.#now);
    expect(views.terms).toEqual(terms.map((term) => expect.objectContaining(term)));
    expect(views.autoRenew).toBe(model.autoRenew);
    expect(await real.prices()).toEqual(expectedPrices(model));
    const transactions = await real.transactions();
    expect(transactions.map(({ facts }) => facts)).toEqual(expectedTransactions(model));
    expect(new Set(transactions.map(({ id }) => id)).size).toBe(transactions.length);
    this.#checkPremiums(transactions.map(({ facts }) => facts));
  }

  /** Of every term: premium = earned + left + returned. */
  #checkPremiums(transactions: readonly { readonly term: object | null; readonly amount: string }[]): void {
    const { model } = this;
    const days = [this.#today, plus(this.#today, 1), ...model.terms.map(({ through }) => through)];
    for (const term of model.terms) {
      const { premium } = term.price;
      for (const day of days) {
        const earned = earnedOf(model, term, day);
        const left = premium - earned - term.returned;
        expect(left >= 0n && earned >= 0n).toBe(true);
        // What a cancellation on the day would return is what is left, but for the cent of two amounts rounded half-up.
        const isRunning = model.hasBegun(term, day) && model.end === null && (model.coverFrom ?? '9999') <= day;
        if (isRunning) expect(partAfter(term, day).premium - left).toBeLessThanOrEqual(1n);
        if (isRunning) expect(partAfter(term, day).premium - left).toBeGreaterThanOrEqual(0n);
      }
    }
    const owed = transactions.reduce((sum, { term, amount }) => sum + (term === null ? 0n : parseSigned(amount)), 0n);
    expect(owed).toBe(model.terms.reduce((sum, { price, returned }) => sum + price.premium - returned, 0n));
  }
}

function cancellationDay(from: Day, term: { readonly days: number; readonly cancelled: number | null }): Day | null {
  return term.cancelled === null ? null : plus(from, term.cancelled % term.days);
}

/** Expects a refusal for one of the reasons of the model, or none where it has none. */
export function expectSame(code: string | undefined, refusals: Refusals): void {
  if (refusals.length === 0) expect(code).toBeUndefined();
  else expect(refusals).toContain(code);
}

function parseSigned(amount: string): bigint {
  return amount.startsWith('-') ? -parseMoney(amount.slice(1)) : parseMoney(amount);
}
