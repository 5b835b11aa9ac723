import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { applyChanges } from '../support/apply-changes.ts';
import { HistoryReader, type Resource } from '../support/history-reader.ts';
import { openTestReadModels } from '../support/test-read-models.ts';
import { runTestProjector } from '../support/test-projector.ts';
import { anyBookHistory, RUNS } from './book-model/any-book.ts';
import { Book } from './book-model/book.ts';
import { anyPoint, pointOf } from './insurance-model/any-point.ts';
import { localDay } from './insurance-model/days.ts';
import { hasBegun, type PointInTime, policyAt, termInForce } from './insurance-model/state.ts';
import { policyView, statusOf } from './insurance-model/views.ts';

const MERCHANT: Resource = { kind: 'merchants', name: 'ACM-0001' };
type Json = Readonly<Record<string, unknown>>;

/** Reads the views of a book at points in time, and compares them with those of the models. */
class PastViews {
  readonly #book: Book;
  readonly #reader: HistoryReader;
  readonly #customer: Resource;

  constructor(book: Book, reader: HistoryReader, customer: Resource) {
    this.#book = book;
    this.#reader = reader;
    this.#customer = customer;
  }

  async check(point: PointInTime): Promise<void> {
    const { policies, claims, merchant } = this.#book;
    for (const policy of policies) await policy.checkAt(point);
    for (const { real, model } of policies) {
      const past = policyAt(model, point);
      const expected = typeof past === 'string' ? past : withoutNumber(policyView(model, past));
      await this.#expect({ kind: 'policies', name: real.policyId }, point, expected);
    }
    for (const { id, model } of claims)
      await this.#expect({ kind: 'claims', name: id }, point, claimView(model.at(point)));
    await this.#expect(MERCHANT, point, merchant.at(point));
    await this.#expect(this.#customer, point, this.#expectedCustomer(point));
  }

  async #expect(resource: Resource, { asOf, knownAt }: PointInTime, expected: string | Json): Promise<void> {
    const text = await this.#reader.view(resource, { known_at: knownAt, ...(asOf === null ? {} : { as_of: asOf }) });
    const where = { resource, asOf, knownAt };
    if (typeof expected === 'string') expect({ ...where, view: text }).toEqual({ ...where, view: expected });
    else expect({ ...where, view: claimTimes(text) }).toMatchObject({ ...where, view: expected });
  }

  /**
   * "Its policies and claims each as its own view with the same `as_of` and `known_at` would", without those that are
   * 404, in the order in which they came into the log.
   */
  #expectedCustomer(point: PointInTime): string | Json {
    const { customer } = this.#book;
    const details = customer.at(point);
    if (typeof details === 'string') return details;
    const policies = this.#book.policies.flatMap(({ real, model }) => {
      const past = policyAt(model, point);
      if (typeof past === 'string') return [];
      const { status, effective_from, effective_through, premium } = policyView(model, past);
      const dates = { start_date: effective_from, end_date: effective_through, premium_amount: premium };
      const isActive = termInForce(past.state, past.day) !== undefined && statusOf(past) !== 'cancelled';
      return [{ isActive, summary: { policy_id: real.policyId, status, ...dates } }];
    });
    const claims = this.#book.claims.flatMap(({ id, policyId, model }) => {
      const past = model.at(point);
      if (typeof past === 'string' || past.isClosed) return [];
      const { claim_status, claim_amount, claim_date: filed } = past.view;
      return [
        { claim_id: id, policy_id: policyId, claim_status, claim_amount, date_filed: filed, date_resolved: null },
      ];
    });
    const active = policies.filter(({ isActive }) => isActive);
    return {
      ...details,
      purchased_policies: policies.map(({ summary }) => summary),
      purchased_policies_count: policies.length,
      active_policies: active.map(({ summary }) => summary),
      active_policies_count: active.length,
      active_claims: claims,
      active_claims_count: claims.length,
    };
  }

  /**
   * `as_of` today, known now, is the live view of every claim, merchant, and policy of which nothing takes effect
   * later.
   */
  async checkToday(): Promise<void> {
    const { harness, policies, claims } = this.#book;
    const { now } = harness;
    for (const { real, model } of policies) {
      const today = localDay(now, model.zone);
      // A policy that ended before its first day has no view on any day.
      const isBegun = model.agreed.some((term) => hasBegun(model.state, term, today));
      const isUpcoming = model.entries.some(({ day }) => day > today);
      if (isBegun && !isUpcoming) await this.#expectLive({ kind: 'policies', name: real.policyId }, today);
    }
    for (const { id, model } of claims)
      await this.#expectLive({ kind: 'claims', name: id }, localDay(now, model.policy.zone));
    await this.#expectLive(MERCHANT, localDay(now, 'UTC'));
  }

  async #expectLive(resource: Resource, today: string): Promise<void> {
    const { now } = this.#book.harness;
    const live = await this.#reader.view(resource);
    for (const point of [{ as_of: today, known_at: now }, { known_at: now }])
      expect([resource, point, await this.#reader.view(resource, point)]).toEqual([resource, point, live]);
  }

  async #termsAt({ name }: Resource, knownAt: string): Promise<readonly object[]> {
    const policy = this.#book.policies.find(({ real }) => real.policyId === name);
    const views = await policy?.real.viewsAt({ asOf: null, knownAt });
    return typeof views === 'object' ? views.terms : [];
  }

  /** The changes of a history in their order give the current document, for pages of any size. */
  async checkHistories(limit: number): Promise<void> {
    for (const resource of await this.#reader.resources()) {
      const all = await this.#reader.history(resource, limit);
      const entries = all.filter((entry) => [undefined, `${resource.kind}/${resource.name}`].includes(entry.resource));
      expect(entries.map(({ revision }) => revision)).toEqual(entries.map((_, index) => index));
      const document = entries.flatMap(({ changes }) => changes);
      // The day alone changes the shown term of a policy, and such a change has no entry.
      const recordedAt = resource.kind === 'policies' ? entries.at(-1)?.recorded_at : undefined;
      const view = await this.#reader.view(resource, recordedAt ? { known_at: recordedAt } : {});
      const terms = recordedAt ? { terms: await this.#termsAt(resource, recordedAt) } : {};
      expect(applyChanges(undefined, document)).toEqual({ ...withoutLists(resource, JSON.parse(view)), ...terms });
    }
  }
}

/**
 * Returns a resource as a history shows it: a customer without its policies and claims, which have histories of their
 * own.
 */
function withoutLists({ kind }: Resource, view: Json): Json {
  const isOfHistory = ([name]: readonly [string, unknown]) => !/^links$|_(policies|claims)(_count)?$/.test(name);
  return kind === 'customers' ? Object.fromEntries(Object.entries(view).filter(isOfHistory)) : view;
}

function withoutNumber({ number: _number, ...view }: ReturnType<typeof policyView>): Json {
  return view;
}

/** Returns the view of a claim that the model knows. */
function claimView(past: ReturnType<Book['claims'][number]['model']['at']>): string | Json {
  return typeof past === 'string' ? past : { ...past.view };
}

/** Parses a view; of the timeline of a claim, names and days. */
function claimTimes(text: string): Json {
  const view = JSON.parse(text);
  const timeline = view.claim_status_timeline as readonly { readonly name: string; readonly time_stamp: string }[];
  if (timeline === undefined) return view;
  const names = timeline.map(({ name, time_stamp }) => [name, time_stamp.slice(0, 10)]);
  const payments = view.payments.map(({ payment_id: _id, ...payment }: Json) => payment);
  return { ...view, claim_status_timeline: names, payments };
}

test(
  'as_of and known_at of policies, claims, customers and merchants are those of an independent model, and their histories lead to them, after every sequence of commands',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        anyBookHistory,
        fc.array(anyPoint, { minLength: 6, maxLength: 10 }),
        fc.integer({ min: 1, max: 100 }),
        async (history, points, limit) => {
          const book = await Book.after(history);
          // The live views show the activation and the renewals that are due.
          for (const which of [0, 1]) await book.take({ kind: 'policy', which, step: { kind: 'schedule' } });
          const readModels = openTestReadModels();
          await runTestProjector({ eventStore: book.harness.eventStore, readModels });
          const customer = { kind: 'customers', name: await book.customerId() };
          const views = new PastViews(book, new HistoryReader(book.harness, readModels), customer);
          await views.checkToday();
          await views.checkHistories(limit);
          for (const point of points) await views.check(pointOf(book, point));
        },
      ),
      { numRuns: RUNS },
    );
  },
  60_000 + RUNS * 1_000,
);
