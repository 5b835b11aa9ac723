import { expect } from '@jest/globals';
import { v5 } from 'uuid';
import { activatePolicy } from '#commands/policy/activate-policy.ts';
import { cancelPolicy } from '#commands/policy/cancel-policy.ts';
import { changePolicy } from '#commands/policy/change-policy.ts';
import { declinePolicy } from '#commands/policy/decline-policy.ts';
import { activateDuePolicy, renewDuePolicy } from '#commands/policy/due-commands.ts';
import { reinstatePolicy } from '#commands/policy/reinstate-policy.ts';
import { renewPolicy } from '#commands/policy/renew-policy.ts';
import { setAutoRenew } from '#commands/policy/set-auto-renew.ts';
import { withdrawTerm } from '#commands/policy/withdraw-term.ts';
import { updateProduct } from '#commands/product/update-product.ts';
import { restoreProduct, withdrawProduct } from '#commands/product/withdraw-product.ts';
import { localDay, plus } from './days.ts';
import {
  begin,
  type Command,
  type Contract,
  commandOf,
  type Expected,
  nowAfter,
  purchaseOf,
  rowOf,
  type Step,
  take,
} from './lives.ts';
import type { PolicyModel } from './policy.ts';
import type { Renewal } from './requests.ts';
import { quote, tierOf } from './rating.ts';
import { type Actual, RealPolicy } from './real-policy.ts';
import { type PastPolicy, type PointInTime, policyAt } from './state.ts';
import { policyView, termViews, transactionView } from './views.ts';

/** A policy and the model of it, which are given the same commands. */
export class Comparison {
  readonly real: RealPolicy;
  readonly model: PolicyModel;
  /** When a step was taken. */
  readonly instants: string[] = [];

  private constructor(real: RealPolicy, model: PolicyModel) {
    this.real = real;
    this.model = model;
    this.instants.push(real.harness.now);
  }

  get harness() {
    return this.real.harness;
  }

  /**
   * Begins the policy in both. Returns undefined when both refuse it.
   * @param others policies that share harness, merchant and customer with this one
   */
  static async begin(
    contract: Contract,
    now: string,
    others: readonly Comparison[] = [],
  ): Promise<Comparison | undefined> {
    const { zone, product, beginning } = contract;
    const real = new RealPolicy(zone, now, others[0]?.harness, others.length);
    const { code, answer: model } = begin(contract, now);
    const today = localDay(now, zone);
    await real.begin();
    if (beginning.by === 'import') {
      expectSame(await real.import(rowOf(beginning.row, today)), code === undefined ? {} : { code });
    } else {
      const purchase = purchaseOf(product, beginning, today);
      const { price, ...bought } = await real.purchase(product, purchase);
      expectSame(bought, code === undefined ? {} : { code });
      const { tier, values, quoted } = purchase;
      if (price !== undefined) expect(price).toEqual(quote(tierOf(product, tier), values, quoted)?.price);
    }
    return model && new Comparison(real, model);
  }

  /** Gives both the step, and checks that they accept or refuse it alike, and answer the same. */
  async take(step: Step): Promise<void> {
    const { harness, model } = this;
    harness.now = nowAfter(harness.now, step);
    const before = new Set(model.state.terms.map(({ number }) => number));
    const command = commandOf(model, step, harness.now);
    const expected = take(model, command, harness.now);
    if (command.kind === 'schedule') await this.#schedule(before);
    else expectSame(await this.#send(command), expected);
    this.instants.push(harness.now);
  }

  /** Runs the scheduler's commands, each as often as the model says, and one more that must change nothing. */
  async #schedule(before: ReadonlySet<number>): Promise<void> {
    const { real, model } = this;
    const { policyId: policy_id } = real;
    await real.run(activateDuePolicy, { policy_id });
    for (const { from } of model.state.terms.filter(({ number }) => !before.has(number)))
      expect(await real.run(renewDuePolicy, { policy_id, term_from: from })).not.toHaveProperty('code');
    const { code } = await real.run(renewDuePolicy, { policy_id, term_from: plus(model.last.through, 1) });
    expect(code).toBeDefined();
  }

  async #send(command: Exclude<Command, { readonly kind: 'schedule' }>): Promise<Actual> {
    const { real } = this;
    const { policyId: policy_id, productId: product_id } = real;
    switch (command.kind) {
      case 'wait':
        return {};
      case 'renew':
        return await real.run(renewPolicy, { policy_id, ...renewalBody({ ...command.request, from: command.from }) });
      case 'change':
        return await real.run(changePolicy, { policy_id, changes: command.changes });
      case 'withdraw':
        return await real.run(withdrawTerm, { policy_id, from: command.from, reason: 'A mistake' });
      case 'cancel': {
        const on = command.on === null ? {} : { effective_on: command.on };
        return await real.run(cancelPolicy, { policy_id, cancellation_reason: 'Sold', ...on }, command.by);
      }
      case 'activate':
        return await real.run(activatePolicy, { policy_id });
      case 'decline':
        return await real.run(declinePolicy, { policy_id, reason: 'No' });
      case 'reinstate':
        return await real.run(reinstatePolicy, { policy_id, reason: 'A mistake' });
      case 'switch':
        return await real.run(setAutoRenew, { policy_id, auto_renew: command.autoRenew });
      case 'product': {
        const updated = await real.run(updateProduct, { product_id, ...command.changes });
        return updated.code === 'nothing_to_change' ? {} : updated;
      }
      case 'sale':
        await real.run(command.isWithdrawn ? withdrawProduct : restoreProduct, { product_id });
        return {};
      case 'import':
        return await real.import(command.row);
      default:
        return command satisfies never;
    }
  }

  /** Checks that the views, the terms and the transactions are those of the model. */
  async check(): Promise<void> {
    const { real, model } = this;
    const past = { state: model.state, day: localDay(this.harness.now, model.zone) };
    this.#expectViews(await real.views(), past, (await real.ids()).terms);
    const { terms, events } = await real.ids();
    const expected = model.transactions.map((entry) => {
      const [term_id = '', event_id = ''] = [terms[entry.term.number], events[entry.event]];
      return { ...transactionView(entry), term_id, event_id, transaction_id: v5(term_id, event_id) };
    });
    const transactions = await real.transactions();
    expect(transactions).toEqual(expected.map((entry) => expect.objectContaining(entry)));
  }

  /** Checks the views as of a day, as they were known at an instant. */
  async checkAt(point: PointInTime): Promise<void> {
    const [past, views] = [policyAt(this.model, point), await this.real.viewsAt(point)];
    if (typeof past === 'string' || typeof views === 'string') expect({ point, views }).toEqual({ point, views: past });
    else this.#expectViews(views, past, (await this.real.ids()).terms);
  }

  #expectViews(views: { policy: object; terms: readonly object[] }, past: PastPolicy, ids: readonly string[]): void {
    const withId = ({ number, ...facts }: { readonly number: number }) => ({ term_id: ids[number], ...facts });
    expect(views.policy).toMatchObject(withId(policyView(this.model, past)));
    expect(views.terms).toEqual(termViews(past).map((term) => expect.objectContaining(withId(term))));
  }
}

function renewalBody({ from, days, autoRenew, change }: Renewal): object {
  const { action, ...details } = change ?? {};
  return {
    preferred_policy_start_date: from,
    policy_duration: days,
    auto_renew: autoRenew,
    include_additional_coverage: action === 'add',
    modify_exisitng_coverage: action === 'modify',
    ...(change === null ? {} : { coverage_details: details }),
  };
}

/** Expects the refusal of the model, or an answer that has what the model says. */
export function expectSame({ code, result }: Actual, expected: Expected): void {
  // The platform names a wrong row like any other wrong request.
  const refusal = expected.code === 'invalid_row' ? 'invalid_request' : expected.code;
  expect({ code }).toEqual({ code: refusal });
  if (expected.answer !== undefined && result !== undefined)
    expect(result['data'] ?? {}).toMatchObject(expected.answer);
}
