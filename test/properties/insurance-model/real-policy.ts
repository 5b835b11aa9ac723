import { expect } from '@jest/globals';
import { v5 } from 'uuid';
import { cancelPolicy } from '#commands/policy/cancel-policy.ts';
import { changePolicy } from '#commands/policy/change-policy.ts';
import { purchasePolicy } from '#commands/policy/purchase-policy.ts';
import { renewPolicy } from '#commands/policy/renew-policy.ts';
import { requestQuotes } from '#commands/quote/request-quotes.ts';
import { type PolicyDocument, policies } from '#projections/policies/policies.ts';
import { policyViewOn, termResourcesOn } from '#projections/policies/policy-resource.ts';
import { policyTransactions } from '#projections/transactions/policy-transactions.ts';
import { policyAt } from '#queries/history/past-document.ts';
import { policyJsonAt } from '#queries/policies.ts';
import type { AnyCommand } from '#event-sourcing/executor/command.ts';
import type { CommandOutcome } from '#event-sourcing/executor/request.ts';
import type { ActingEnvironment } from '#domain/environment/environment.ts';
import { Refusal } from '#domain/refusals.ts';
import type { PolicyEvent } from '#domain/policy/policy-events.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { PRODUCT_INPUT, setUpProduct, setUpProvider } from '../../support/admin-fixtures.ts';
import { ADMIN, CommandHarness, type CommandOptions, LIVE, MERCHANT } from '../../support/command-harness.ts';
import { givenEnvironment, givenMerchants, importRow } from '../../support/imports.ts';
import { logCatalogue } from '../../support/log-catalogue.ts';
import { CUSTOMER } from '../../support/quotes.ts';
import { RISKS } from '../../support/risks.ts';
import { localDay } from './days.ts';
import type { Product } from './rating.ts';
import type { ImportedRow, Purchase } from './requests.ts';
import type { PointInTime } from './state.ts';
import { format } from './timeline.ts';
import { UNUSED_PARTS } from '#test/support/query-context.ts';

/** An environment in another time zone than those of the fixtures. */
const ZONED = { ...LIVE, environmentId: 77 };
/** Of the holder of a book, so that a purchase does not change the customer. */
export const BORN = '1980-02-29';
/** Each attempt records a hundred renewals; a policy can be renewed on every day of some years. */
const MAX_ATTEMPTS = 50;

/** The commands with a preview, with the member of `data` that is their amount. */
const PREVIEWED = new Map<AnyCommand, string>([
  [renewPolicy, 'premium'],
  [cancelPolicy, 'refund_amount'],
  [changePolicy, 'premium_difference'],
]);

/** What the service answers to a command: the code of its refusal, or its result. */
export interface Actual {
  readonly code?: string;
  readonly result?: CommandOutcome['result'];
}

/** Runs a command; again while very many renewals are due, as a client does after `busy`. */
export async function outcomeOf(run: () => Promise<CommandOutcome>): Promise<Actual> {
  for (let attempt = 1; ; attempt++) {
    try {
      return { result: (await run()).result };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code !== 'busy' || attempt === MAX_ATTEMPTS) return { code: error.code };
    }
  }
}

/** One policy that is changed by the real commands and read by the real projections. */
export class RealPolicy {
  policyId = '';
  productId = '';
  readonly harness: CommandHarness;
  /** Policies that share a harness are numbered, and have environments of their own. */
  readonly number: number;
  readonly #zone: string;
  #rows = 0;
  #runs = 0;

  constructor(zone: string, now: string, harness = new CommandHarness(), number = 0) {
    this.#zone = zone;
    this.harness = harness;
    this.number = number;
    this.harness.now = now;
    Object.assign(harness.ports.services, { catalogue: logCatalogue(harness.eventStore) });
  }

  get environment(): ActingEnvironment {
    return { ...ZONED, environmentId: ZONED.environmentId + this.number };
  }

  async begin(): Promise<void> {
    if (this.number === 0) await givenMerchants(this.harness);
    await givenEnvironment(this.harness, this.environment, this.#zone);
  }

  /** Buys a quote of a product of its own. Returns also the price of the quote. */
  async purchase(product: Product, purchase: Purchase): Promise<Actual & { readonly price?: object }> {
    const provider = await setUpProvider(this.harness, { name: `Leadway ${this.number}` });
    this.productId = await setUpProduct(this.harness, provider, { ...PRODUCT_INPUT, ...product });
    const { born, quoted, duration, isAsked } = purchase;
    const customer = { customer_metadata: { ...CUSTOMER, ...(born === null ? {} : { date_of_birth: born }) } };
    const risk = { ...RISKS.Auto, ...purchase.values };
    const request = {
      insurance_details: { product_type: 'Auto', additional_information: risk },
      ...(quoted === null ? {} : { policy_duration: quoted }),
      ...(isAsked ? customer : {}),
    };
    const asked = await this.run(requestQuotes, request);
    // "400 only when every live product of the type refuses it."
    if (asked.code !== undefined) return { code: asked.code === 'invalid_request' ? 'no_quote' : asked.code };
    const event = (await this.harness.log()).findLast(({ type }) => type === 'QuotesOffered');
    const { offers = [] } = (event?.data ?? {}) as { readonly offers?: readonly Offer[] };
    const { quotes = [] } = (asked.result ?? {}) as { readonly quotes?: readonly { readonly quote_code: string }[] };
    const isWanted = ({ productId, tierName }: Offer) => productId === this.productId && tierName === purchase.tier;
    const index = offers.findIndex(isWanted);
    const [offer, item] = [offers[index], quotes[index]];
    if (offer === undefined || item === undefined) return { code: 'no_quote' };
    const bought = await this.run(purchasePolicy, {
      quote_code: item.quote_code,
      effective_from: purchase.from,
      auto_renew: purchase.autoRenew,
      ...(duration === null ? {} : { policy_duration: duration }),
      ...(isAsked ? {} : customer),
      // That of the rows of imports, so that no policy changes the customer.
      customer_reference: 'C-1',
    });
    this.policyId = String(bought.result?.['policy_id']);
    const { amount, discount, surcharges, tax, commission } = offer.price;
    const price = { amount, discount_amount: discount, surcharges, tax, commission };
    return { ...bought, price: { ...price, base_price: offer.basePrice, total_price: offer.premium } };
  }

  /** Imports a row. Every row is another one: the same row again imports nothing. */
  async import(row: ImportedRow): Promise<Actual> {
    this.#rows += 1;
    const optional = {
      tax: format(row.tax),
      commission: format(row.commission),
      return_premium: format(row.returnPremium),
      cancelled_on: row.cancelledOn,
      cancellation_reason: row.cancelledOn && 'Sold',
    };
    const columns = {
      policy_number: await this.policyNumber(),
      product_name: `Motor ${this.number}`,
      term_from: row.from,
      term_through: row.through,
      premium: String(format(row.premium)),
      auto_renew: String(row.autoRenew),
      risk_row: String(this.#rows),
      customer_date_of_birth: BORN,
      coverages: row.coverages.map(({ coverage_name }) => coverage_name).join(';'),
      ...(Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null)) as Record<string, string>),
    };
    const imported = await outcomeOf(
      async () => await importRow(this.harness, columns, { environment: this.environment }),
    );
    if (this.policyId === '' && imported.code === undefined) {
      this.policyId = String(imported.result?.['policy_id']);
      this.productId = (await this.contract()).product.id;
    }
    return imported;
  }

  async policyNumber(): Promise<string> {
    return this.policyId === '' ? `POL-${this.number}` : (await this.contract()).policyNumber;
  }

  /** Returns what the first event says of the policy. */
  async contract(): Promise<FirstEvent> {
    const [first] = await this.events();
    if (first === undefined) throw new Error('the policy exists');
    return first.data as FirstEvent;
  }

  /** Runs a command as a client or the platform. */
  async run(command: AnyCommand, input: object, by = 'merchant'): Promise<Actual> {
    this.#runs += 1;
    // A command with a key is repeated.
    const key = this.#runs % 3 === 0 ? { key: `${this.number} ${this.#runs}` } : {};
    const sender = command.inEnvironment
      ? { ...key, environment: this.environment, actor: by === 'admin' ? ADMIN : MERCHANT }
      : key;
    const previewed = await this.#preview(command, input, sender);
    const expected = previewed?.amount === undefined ? {} : { expected_amount: previewed.amount };
    let outcome: CommandOutcome | undefined;
    const request = { ...input, ...expected };
    const actual = await outcomeOf(async () => (outcome = await this.harness.run(command, request, sender)));
    // A preview does not record the renewals that are due, of which a request records at most a hundred.
    if (previewed !== undefined && previewed.code !== 'busy')
      expect([actual.code, actual.result]).toEqual([previewed.code, previewed.result]);
    if ('key' in key && outcome !== undefined) await this.#expectRepeated(outcome, command, request, sender);
    return actual;
  }

  /**
   * Returns what a preview answers, and the amount that is expected then; undefined for a command without a preview.
   */
  async #preview(
    command: AnyCommand,
    input: object,
    sender: CommandOptions,
  ): Promise<(Actual & { readonly amount?: string | undefined }) | undefined> {
    const member = PREVIEWED.get(command);
    if (member === undefined) return undefined;
    const log = await this.harness.log();
    const previewed = await outcomeOf(
      async () => await this.harness.run(command, input, { ...sender, isPreview: true }),
    );
    expect(await this.harness.log()).toEqual(log);
    return { ...previewed, amount: (previewed.result?.['data'] as Record<string, string> | undefined)?.[member] };
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

  async events(): Promise<RecordedEvent[]> {
    return await this.harness.events(`policy-${this.policyId}`);
  }

  /**
   * Ids of the terms and of the events that make transactions, in the order of the log. A term has the UUID v5 of the
   * policy and its event.
   */
  async ids() {
    const events = await this.events();
    const agreeing = events.filter(({ data }) => 'term' in (data as object));
    return {
      terms: agreeing.map(({ id }) => v5(id, this.policyId)),
      events: events.filter(({ type }) => MONEY.test(type)).map(({ id }) => id),
    };
  }

  /** The view of the policy and its terms, as the queries read them from the stored document. */
  async views() {
    const events = await this.events();
    const document = events.reduce<PolicyDocument | undefined>((old, event) => policies.fold(old, event), undefined);
    if (document === undefined) throw new Error('the policy exists');
    const stored = { key: this.policyId, body: JSON.stringify(document), indexes: policies.indexes(document) };
    const { now } = this.harness;
    return {
      policy: JSON.parse(policyJsonAt(stored, now)) as object,
      terms: termResourcesOn(document.policy, localDay(now, this.#zone)),
    };
  }

  /** The view and the terms as of a day, as they were known at an instant; or the code of the refusal. */
  async viewsAt({ asOf, knownAt }: PointInTime) {
    const { eventStore, now } = this.harness;
    const { replay } = UNUSED_PARTS;
    const context = { eventStore, now, nextTurn: async () => await Promise.resolve(), replay };
    const stored = { key: this.policyId, stream: `policy-${this.policyId}` };
    try {
      const { policy, day } = await policyAt(context, stored, { as_of: asOf ?? undefined, known_at: knownAt });
      return { policy: policyViewOn(policy, day), terms: termResourcesOn(policy, day) };
    } catch (error) {
      if (error instanceof Refusal) return error.code;
      throw error;
    }
  }

  /** The transactions of the policy in the order of the log. */
  async transactions() {
    return ((await this.events()) as RecordedEvent<PolicyEvent>[])
      .flatMap(policyTransactions)
      .map(({ transaction }) => transaction);
  }
}

interface FirstEvent {
  readonly policyNumber: string;
  readonly customerId: string;
  readonly provider: { readonly id: string };
  readonly product: { readonly id: string; readonly type: string };
  readonly currency: string;
}

interface Offer {
  readonly productId: string;
  readonly tierName: string | null;
  readonly basePrice: string;
  readonly premium: string;
  readonly price: Readonly<Record<'amount' | 'discount' | 'surcharges' | 'tax' | 'commission', string>>;
}

const MONEY = /Purchased|Imported|Renewed|Changed|Cancelled|Declined|Withdrawn|Reinstated/;
