import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { AnyCommand } from '../../src/command-handling/command.ts';
import { stateOf } from '../../src/event-sourcing/aggregate.ts';
import { activatePolicy } from '../../commands/policy/activate-policy.ts';
import { cancelPolicy } from '../../commands/policy/cancel-policy.ts';
import { purchasePolicy } from '../../commands/policy/purchase-policy.ts';
import { renewPolicy } from '../../commands/policy/renew-policy.ts';
import { addDays, daysBetween, startOfDay, UTC } from '../../src/domain/values/dates.ts';
import { type Day, dayOf } from '../../src/event-sourcing/time.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import { formatMoney, parseMoney, proRata } from '../../src/domain/values/money.ts';
import { lastTerm } from '../../src/domain/policy/cover.ts';
import { type PolicyState, policy, policyStream } from '../../src/domain/policy/policy.ts';
import type { PolicyEvent } from '../../src/domain/policy/policy-events.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { StoreUnavailable } from '../../src/store-unavailable.ts';
import { createScheduler } from '../support/run-scheduler.ts';
import { givenMerchants, importRow, policyRow } from '../support/imports.ts';
import { CommandHarness, LIVE } from '../support/command-harness.ts';
import { crashAfterAppends } from '../support/crash-after-appends.ts';
import { givenQuote } from '../support/quotes.ts';
import { type SchedulerHarness, startSchedulerHarness } from '../support/scheduler-harness.ts';

/** The next step. Days count from today. */
type Step =
  | {
      readonly kind: 'buy';
      readonly starts: number;
      readonly days: number;
      readonly auto: boolean;
      readonly waits: boolean;
    }
  | { readonly kind: 'import'; readonly starts: number; readonly days: number }
  | {
      readonly kind: 'renew';
      readonly which: number;
      readonly gap: number;
      readonly days: number;
      readonly auto: boolean;
    }
  | { readonly kind: 'cancel' | 'activate'; readonly which: number }
  | { readonly kind: 'wait'; readonly days: number }
  /** Schedulers run: several concurrently, or one that crashes after a number of appends and is restarted. */
  | { readonly kind: 'schedule'; readonly how: 'once' | 'concurrently' | number };

const days = fc.integer({ min: 1, max: 365 });
const which = fc.nat({ max: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('buy' as const),
    starts: fc.nat({ max: 60 }),
    days,
    auto: fc.boolean(),
    waits: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('import' as const), starts: fc.integer({ min: -500, max: 60 }), days }),
  fc.record({
    kind: fc.constant('renew' as const),
    which,
    gap: fc.integer({ min: -2, max: 30 }),
    days,
    auto: fc.boolean(),
  }),
  fc.record({ kind: fc.constantFrom('cancel' as const, 'activate' as const), which }),
  fc.record({ kind: fc.constant('wait' as const), days: fc.oneof(fc.nat({ max: 40 }), fc.nat({ max: 1_500 })) }),
  fc.record({
    kind: fc.constant('schedule' as const),
    how: fc.oneof(fc.constantFrom('once' as const, 'concurrently' as const), fc.integer({ min: 0, max: 6 })),
  }),
);

const MOST_RENEWALS = 200;

/** Every renewal reads the policy from its start, so a policy of one day that waits for years takes minutes. */
function takesSeconds(steps: readonly Step[]): boolean {
  const lengths = steps.flatMap((one) => ('auto' in one && one.auto ? [one.days] : []));
  const waited = steps.reduce((sum, one) => (one.kind === 'wait' ? sum + one.days : sum), 0);
  return waited / Math.min(...lengths) <= MOST_RENEWALS;
}

/** An independent model of a policy based on the calendar. */
interface ModelPolicy {
  readonly stream: string;
  readonly number: string;
  readonly waits: boolean;
  status: PolicyState['status'];
  auto: boolean;
  terms: readonly { readonly from: Day; readonly through: Day; readonly premium: string }[];
}

const ANNUAL = '365.00';
const pricedTerm = (from: Day, length: number) => ({
  from,
  through: addDays(from, length - 1),
  premium: formatMoney(proRata(parseMoney(ANNUAL), length)),
});

/** Returns the term as a later activation moves it. */
function movedTo(today: Day, term: ModelPolicy['terms'][number]): ModelPolicy['terms'][number] {
  if (term.from >= today) return term;
  return { ...term, from: today, through: addDays(today, daysBetween(term.from, term.through)) };
}

/** Advances the model to today. */
function passTime(modelPolicy: ModelPolicy, today: Day): void {
  const first = modelPolicy.terms[0];
  if (modelPolicy.status === 'accepted' && !modelPolicy.waits && first !== undefined && first.from <= today)
    modelPolicy.status = 'active';
  for (
    let last = modelPolicy.terms.at(-1);
    last !== undefined && modelPolicy.status === 'active' && modelPolicy.auto;
    last = modelPolicy.terms.at(-1)
  ) {
    const next = addDays(last.through, 1);
    if (next > today) return;
    modelPolicy.terms = [...modelPolicy.terms, pricedTerm(next, daysBetween(last.from, last.through) + 1)];
  }
}

class ModelledBook {
  readonly harness: CommandHarness;
  readonly book: ModelPolicy[] = [];
  readonly #scheduler: SchedulerHarness;

  constructor(harness: CommandHarness, scheduler: SchedulerHarness) {
    this.harness = harness;
    this.#scheduler = scheduler;
  }

  get today(): Day {
    return dayOf(this.harness.now);
  }

  async execute(wanted: Step): Promise<void> {
    switch (wanted.kind) {
      case 'buy':
        return await this.#buy(wanted);
      case 'import':
        return await this.#import(wanted);
      case 'wait':
        this.harness.now = startOfDay(addDays(this.today, wanted.days), UTC);
        return;
      case 'schedule':
        await this.#schedule(wanted.how);
        for (const modelPolicy of this.book) passTime(modelPolicy, this.today);
        return;
      default: {
        const modelPolicy = this.book[wanted.which];
        if (modelPolicy !== undefined) await this.#change(modelPolicy, wanted);
      }
    }
  }

  async stateOf({ stream }: ModelPolicy): Promise<PolicyState> {
    return stateOf(policy, (await this.harness.events(stream)) as RecordedEvent<PolicyEvent>[]);
  }

  async #buy(wanted: Extract<Step, { kind: 'buy' }>): Promise<void> {
    const { quote_code } = await givenQuote(
      this.harness.eventStore,
      LIVE,
      { inspectionRequired: wanted.waits },
      { expiresAt: '9000-01-01T00:00:00.000Z' },
    );
    const from = addDays(this.today, wanted.starts);
    const purchase = { quote_code, effective_from: from, policy_duration: wanted.days, auto_renew: wanted.auto };
    const { result } = await this.harness.run(purchasePolicy, purchase);
    this.book.push({
      stream: policyStream(result.policy_id as string),
      number: result.policy_number as string,
      waits: wanted.waits,
      status: wanted.waits || wanted.starts > 0 ? 'accepted' : 'active',
      auto: wanted.auto,
      terms: [pricedTerm(from, wanted.days)],
    });
  }

  async #import(wanted: Extract<Step, { kind: 'import' }>): Promise<void> {
    const from = addDays(this.today, wanted.starts);
    const number = `POL-${this.book.length}`;
    const first = pricedTerm(from, wanted.days);
    const row = policyRow({
      policy_number: number,
      term_from: first.from,
      term_through: first.through,
      premium: first.premium,
    });
    const { result } = await importRow(this.harness, row);
    const status = wanted.starts > 0 ? 'accepted' : 'active';
    const stream = policyStream(result.policy_id as string);
    this.book.push({ stream, number, waits: false, status, auto: false, terms: [first] });
  }

  async #change(
    modelPolicy: ModelPolicy,
    wanted: Extract<Step, { kind: 'renew' | 'cancel' | 'activate' }>,
  ): Promise<void> {
    // Every command on a policy first records what the calendar owes it.
    passTime(modelPolicy, this.today);
    if (wanted.kind === 'renew') {
      const { through } = lastTerm(await this.stateOf(modelPolicy));
      const from = addDays(through < this.today ? this.today : through, wanted.gap);
      const renewal = { preferred_policy_start_date: from, policy_duration: wanted.days, auto_renew: wanted.auto };
      if (!(await this.#isAccepted(renewPolicy, { policy_number: modelPolicy.number, ...renewal }))) return;
      modelPolicy.terms = [...modelPolicy.terms, pricedTerm(from, wanted.days)];
      modelPolicy.auto = wanted.auto;
    } else if (wanted.kind === 'cancel') {
      const isAccepted = await this.#isAccepted(cancelPolicy, {
        policy_number: modelPolicy.number,
        cancellation_reason: 'sold',
      });
      if (!isAccepted) return;
      modelPolicy.status = 'cancelled';
      modelPolicy.auto = false;
    } else {
      const isAccepted = await this.#isAccepted(activatePolicy, {
        policy_id: modelPolicy.stream.slice('policy-'.length),
      });
      if (!isAccepted) return;
      modelPolicy.status = 'active';
      modelPolicy.terms = modelPolicy.terms.map((term) => movedTo(this.today, term));
    }
  }

  /** Runs a command; returns whether it was accepted. */
  async #isAccepted(command: AnyCommand, input: object): Promise<boolean> {
    try {
      await this.harness.run(command, input);
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  }

  async #schedule(how: Extract<Step, { kind: 'schedule' }>['how']): Promise<void> {
    const runOnce = async (): Promise<void> => await createScheduler(this.#scheduler.parts()).runOnce();
    if (how === 'once') return await runOnce();
    if (how === 'concurrently') return void (await Promise.all([runOnce(), runOnce(), runOnce()]));
    const { result } = await crashAfterAppends(this.harness, how, runOnce);
    expect(result === undefined || result instanceof StoreUnavailable).toBe(true);
    await this.#scheduler.stopProjector();
    await this.#scheduler.startProjector();
    await runOnce();
  }
}

describe('Any sequence of purchases, imports, renewals, cancellations, days and runs of the scheduler', () => {
  test('gives every policy the terms of the model, also with restarts and concurrent schedulers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }).filter(takesSeconds), async (steps) => {
        const harness = new CommandHarness();
        await givenMerchants(harness);
        const scheduler = await startSchedulerHarness(harness);
        const modelledBook = new ModelledBook(harness, scheduler);
        try {
          for (const wanted of [...steps, { kind: 'schedule', how: 'once' } as const])
            await modelledBook.execute(wanted);
          for (const modelPolicy of modelledBook.book) {
            const state = await modelledBook.stateOf(modelPolicy);
            const terms = state.terms.map(({ from, through, premium }) => ({ from, through, premium }));
            expect({ status: state.status, auto: state.autoRenew, terms }).toEqual({
              status: modelPolicy.status,
              auto: modelPolicy.auto,
              terms: modelPolicy.terms,
            });
          }
        } finally {
          await scheduler.stopProjector();
        }
      }),
      { numRuns: 300 },
    );
  });
});
