import { expect } from '@jest/globals';
import {
  acceptClaimOffer,
  approveClaim,
  payClaim,
  reviewClaim,
  sendClaimForApproval,
  sendClaimOffer,
} from '../../../commands/claim/claim-moves.ts';
import { purchasePolicy } from '../../../commands/policy/purchase-policy.ts';
import { restoreProduct, withdrawProduct } from '../../../commands/product/withdraw-product.ts';
import { foldedPolicyOf, type PolicyDocument, policies } from '../../../projections/policies/policies.ts';
import {
  type PolicyResource,
  policyResourceOn,
  termResourcesOn,
} from '../../../projections/policies/policy-resource.ts';
import type { RecordedTransaction } from '../../../projections/transactions/transaction.ts';
import { type TransactionsDocument, transactions } from '../../../projections/transactions/transactions.ts';
import { policyAt } from '../../../queries/history/past-document.ts';
import type { PointInTime } from '../../../queries/history/point-in-time.ts';
import { policyJsonAt } from '../../../queries/policies.ts';
import type { AnyCommand } from '../../../src/command-handling/command.ts';
import type { CommandOutcome } from '../../../src/command-handling/request.ts';
import type { ActingEnvironment } from '../../../src/domain/environment/acting-environment.ts';
import { Refusal } from '../../../src/domain/refusals.ts';
import type { RecordedEvent } from '../../../src/event-sourcing/event.ts';
import type { StoredDocument } from '../../../src/read-models/read-models.ts';
import { setUpProduct, setUpProvider } from '../../support/admin-fixtures.ts';
import { ADMIN, CommandHarness, type CommandOptions, LIVE, MERCHANT } from '../../support/command-harness.ts';
import { givenEnvironment, givenMerchants, importRow } from '../../support/imports.ts';
import { givenQuote } from '../../support/quotes.ts';
import { type Amounts, format } from './amounts.ts';
import { type Day, localDay, plus } from './days.ts';

/** An environment in another time zone than those of the fixtures. */
const ZONED = { ...LIVE, environmentId: 77 };

/** The columns of an imported row that the model varies. */
export function importColumns(
  from: Day,
  days: number,
  premium: bigint,
  cancelledOn: Day | null,
): Record<string, string> {
  return {
    ...(cancelledOn === null ? {} : { cancelled_on: cancelledOn, cancellation_reason: 'Sold' }),
    term_from: from,
    term_through: plus(from, days - 1),
    premium: String(format(premium)),
    premium_theft: '',
    premium_third_party: '',
  };
}

type RecordedAmounts = { readonly [Name in keyof Amounts]: string | null };
type RecordedPrice = RecordedAmounts & { readonly annual: RecordedAmounts | null };

/** One policy that is changed by the real commands and read by the real projections. */
export class RealPolicy {
  readonly harness: CommandHarness;
  policyId = '';
  /** Policies that share a harness are numbered, and have environments of their own. */
  readonly number: number;
  readonly #zone: string;
  readonly #claims: string[] = [];
  #rows = 0;
  #runs = 0;

  constructor(zone: string, now: string, harness = new CommandHarness(), number = 0) {
    this.#zone = zone;
    this.harness = harness;
    this.number = number;
    this.harness.now = now;
  }

  get environment(): ActingEnvironment {
    return { ...ZONED, environmentId: ZONED.environmentId + this.number };
  }

  get policyNumber(): string {
    return `POL-${this.number}`;
  }

  /** Each policy has a product of its own, so that a withdrawal concerns no other. */
  get #names() {
    return { policy_number: this.policyNumber, product_name: `Motor ${this.number}` };
  }

  async purchase(purchase: object, annual: Amounts, offered: object): Promise<void> {
    await this.#begin();
    const provider = await setUpProvider(this.harness, { name: `Leadway ${this.number}` });
    const productId = await setUpProduct(this.harness, provider);
    const price = {
      amount: '0.00',
      discount: '0.00',
      surcharges: format(annual.surcharge),
      commission: format(annual.commission),
      tax: format(annual.tax),
    };
    const offer = { productId, premium: format(annual.premium), price, ...offered };
    const { quote_code } = await givenQuote(this.harness.eventStore, this.environment, offer);
    const { result } = await this.harness.run(
      purchasePolicy,
      { quote_code, ...purchase },
      { environment: this.environment },
    );
    this.policyId = String(result.policy_id);
  }

  async import(columns: Record<string, string>): Promise<void> {
    await this.#begin();
    const { result } = await importRow(this.harness, { ...columns, ...this.#names }, { environment: this.environment });
    this.policyId = String(result.policy_id);
  }

  async #begin(): Promise<void> {
    if (this.number === 0) await givenMerchants(this.harness);
    await givenEnvironment(this.harness, this.environment, this.#zone);
  }

  /** Runs a command and returns the code of its refusal; undefined when it was accepted. */
  async run(command: AnyCommand, input: object, by: 'merchant' | 'admin' = 'merchant'): Promise<string | undefined> {
    this.#runs += 1;
    // With a key, a command does not use the stream cache.
    const key = this.#runs % 3 === 0 ? { key: `${this.number} ${this.#runs}` } : {};
    const sender = command.inEnvironment
      ? { ...key, environment: this.environment, actor: by === 'merchant' ? MERCHANT : ADMIN }
      : key;
    let outcome: CommandOutcome | undefined;
    const code = await codeOf(async () => {
      outcome = await this.harness.run(command, input, sender);
    });
    if ('key' in key && outcome !== undefined) await this.#expectRepeated(outcome, command, input, sender);
    return code;
  }

  /** A repeat with its key changes nothing and has the same result. */
  async #expectRepeated(
    outcome: CommandOutcome,
    ...request: readonly [AnyCommand, object, CommandOptions]
  ): Promise<void> {
    const log = await this.harness.log();
    const repeated = await this.harness.run(...request);
    // A command that changed nothing decides again.
    const replayed = outcome.events.length > 0;
    expect(repeated).toEqual({ ...outcome, replayed, position: repeated.position });
    expect(await this.harness.log()).toEqual(log);
  }

  /** Every row is another one: the same row again imports nothing. */
  async importTerm(columns: Record<string, string>): Promise<string | undefined> {
    this.#rows += 1;
    const row = { ...columns, ...this.#names, risk_row: String(this.#rows) };
    return await codeOf(async () => await importRow(this.harness, row, { environment: this.environment }));
  }

  async switchProduct(isWithdrawn: boolean): Promise<void> {
    const first = (await this.events())[0]?.data as { readonly product: { readonly id: string } };
    await this.run(isWithdrawn ? withdrawProduct : restoreProduct, { product_id: first.product.id });
  }

  addClaim(claimId: string): void {
    this.#claims.push(claimId);
  }

  /** Moves a claim up to its payment. Amounts that are undefined are left out. */
  async payClaim(
    claimId: string,
    amounts: { readonly approved?: string; readonly offer?: string; readonly paid?: string },
  ): Promise<void> {
    const move = async (command: AnyCommand, facts: object = {}) =>
      await this.harness.run(command, { claim_id: claimId, ...facts });
    await move(reviewClaim);
    await move(sendClaimForApproval);
    await move(approveClaim, amounts.approved === undefined ? {} : { approved_amount: amounts.approved });
    if (amounts.offer !== undefined) {
      await move(sendClaimOffer, { offer_amount: amounts.offer });
      await move(acceptClaimOffer);
    }
    await move(payClaim, amounts.paid === undefined ? {} : { paid_amount: amounts.paid });
  }

  async events(): Promise<RecordedEvent[]> {
    return await this.harness.events(`policy-${this.policyId}`);
  }

  /** What each term cost, as the events have it. */
  async prices() {
    const events = await this.events();
    const terms = events.flatMap(({ data }) => (data as { readonly term?: RecordedPrice }).term ?? []);
    return terms.map(({ premium, tax, surcharge, commission, annual }) => ({
      premium,
      tax,
      surcharge,
      commission,
      annual,
    }));
  }

  /** The resource of the policy and its terms, as the queries read them from the stored document. */
  async views() {
    const events = await this.events();
    const document = events.reduce<PolicyDocument | undefined>(
      (before, event) => policies.fold(before, event),
      undefined,
    );
    if (document === undefined) throw new Error('the policy exists');
    const body = JSON.stringify(document);
    const stored = { body, indexes: policies.indexes(document) } as unknown as StoredDocument;
    const policy = foldedPolicyOf(JSON.parse(body) as PolicyDocument);
    return {
      policy: JSON.parse(policyJsonAt(stored, this.harness.now)) as Record<string, unknown>,
      terms: termResourcesOn(policy, localDay(this.harness.now, this.#zone)),
      autoRenew: policy.lifecycle.autoRenew,
    };
  }

  /** The resource of the policy as of a day, as it was known at an instant. @throws {Refusal} */
  async viewAt(pointInTime: PointInTime): Promise<PolicyResource> {
    const { eventStore, now } = this.harness;
    const context = { eventStore, now, nextTurn: async () => await Promise.resolve() };
    const stored = { key: this.policyId, stream: `policy-${this.policyId}` } as unknown as StoredDocument;
    const { policy, day } = await policyAt(context, stored, pointInTime);
    return policyResourceOn(policy, day);
  }

  /** The transactions of the policy in the order of the log. Claims are numbered in the order of their filing. */
  async transactions() {
    const streams = [`policy-${this.policyId}`, ...this.#claims.map((claimId) => `claim-${claimId}`)];
    const recorded: RecordedTransaction[] = [];
    for (const stream of streams) {
      const events = await this.harness.events(stream);
      const document = events.reduce<TransactionsDocument | undefined>(
        (before, event) => transactions.fold(before, event) as TransactionsDocument,
        undefined,
      );
      recorded.push(...(document?.transactions ?? []));
    }
    const inOrder = recorded.sort((a, b) => (a.position < b.position ? -1 : Number(a.position > b.position)));
    return inOrder.map(({ transaction: { transaction_id: id, policy_id: policyId, claim_id: claimId, ...facts } }) => ({
      ...{ id, policyId },
      facts: { ...facts, claim: claimId === null ? null : this.#claims.indexOf(claimId) + 1 },
    }));
  }
}

/** Each attempt records a hundred renewals; a policy can be renewed on every day of some years. */
const MAX_ATTEMPTS = 50;

/**
 * Returns the code of the refusal; undefined when it was accepted. It tries again while very many renewals are due, as a client does
 * after `busy`.
 */
export async function codeOf(run: () => Promise<unknown>): Promise<string | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      await run();
      return undefined;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code !== 'busy' || attempt === MAX_ATTEMPTS) return error.code;
    }
  }
}
