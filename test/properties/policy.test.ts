import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { AnyCommand } from '../../src/command-handling/command.ts';
import type { CommandOutcome } from '../../src/command-handling/request.ts';
import { activatePolicy } from '../../commands/policy/activate-policy.ts';
import { cancelPolicy } from '../../commands/policy/cancel-policy.ts';
import { importPolicyTerm } from '../../commands/policy/import-policy-term.ts';
import { purchasePolicy } from '../../commands/policy/purchase-policy.ts';
import { activateDuePolicy, renewDuePolicy } from '../../commands/policy/due-commands.ts';
import { renewPolicy } from '../../commands/policy/renew-policy.ts';
import { stateOf } from '../../src/event-sourcing/aggregate.ts';
import { addDays, daysBetween, startOfDay, UTC } from '../../src/domain/values/dates.ts';
import { dayOf } from '../../src/event-sourcing/time.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import { formatMoney, MAX_MINOR, parseMoney, parseSum } from '../../src/domain/values/money.ts';
import { agreedTerms, lastTerm, overlap, shownTerm, todayOf } from '../../src/domain/policy/cover.ts';
import { dueChangeOf } from '../../src/domain/policy/due.ts';
import { type PolicyState, policy, policyStream } from '../../src/domain/policy/policy.ts';
import type { PolicyEvent } from '../../src/domain/policy/policy-events.ts';
import { policyResourceOf } from '../../projections/resources.ts';
import { isTemporary, Refusal } from '../../src/domain/refusals.ts';
import { givenMerchants, importRow, policyRow } from '../support/imports.ts';
import { CommandHarness, LIVE, MERCHANT, type CommandOptions } from '../support/command-harness.ts';
import { givenQuote } from '../support/quotes.ts';

/** The next step of a client or the clock. Days count from today, or from the end of the last term. */
type Step =
  | { readonly kind: 'import'; readonly from: number; readonly days: number; readonly premium: bigint }
  | {
      readonly kind: 'renew';
      readonly after: 'today' | 'last term';
      readonly gap: number;
      readonly days: number;
      readonly additional: bigint | null;
      readonly auto: boolean;
    }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'activate' }
  /** The scheduler runs. */
  | { readonly kind: 'schedule' }
  | { readonly kind: 'wait'; readonly days: number }
  /** An earlier request is repeated with its key. */
  | { readonly kind: 'again'; readonly which: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('import' as const),
      from: fc.integer({ min: -800, max: 800 }),
      days: fc.integer({ min: 0, max: 400 }),
      premium: fc.bigInt({ min: 0n, max: MAX_MINOR }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('renew' as const),
      after: fc.constantFrom('today' as const, 'last term' as const),
      gap: fc.integer({ min: -20, max: 60 }),
      days: fc.integer({ min: 1, max: 365 }),
      additional: fc.option(fc.bigInt({ min: 0n, max: 10_000_00n })),
      auto: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'cancel' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'activate' as const }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'schedule' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: 0, max: 400 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('again' as const), which: fc.nat() }),
  },
);

/** How the policy of a property is created. */
type Creation =
  | { readonly by: 'import' }
  | {
      readonly by: 'purchase';
      readonly premium: bigint;
      readonly days: number;
      /** Days from today to the start. */
      readonly starts: number;
      readonly auto: boolean;
      readonly inspection: boolean;
    };

const creation: fc.Arbitrary<Creation> = fc.oneof(
  fc.constant({ by: 'import' as const }),
  fc.record({
    by: fc.constant('purchase' as const),
    premium: fc.bigInt({ min: 0n, max: MAX_MINOR }),
    days: fc.integer({ min: 1, max: 365 }),
    starts: fc.integer({ min: 0, max: 40 }),
    auto: fc.boolean(),
    inspection: fc.boolean(),
  }),
);

interface AcceptedRequest {
  readonly command: AnyCommand;
  readonly input: object;
  readonly key: string;
  readonly outcome: CommandOutcome;
}

/** A policy with its accepted requests. */
class PolicyUnderTest {
  readonly harness = new CommandHarness();
  readonly accepted: AcceptedRequest[] = [];
  #number = '';
  #stream = '';
  #keys = 0;

  async create(wanted: Creation): Promise<void> {
    await givenMerchants(this.harness);
    const { result } = wanted.by === 'import' ? await importRow(this.harness) : await this.#buy(wanted);
    this.#stream = policyStream(result.policy_id as string);
    this.#number = (await this.state()).policyNumber;
  }

  async #buy(wanted: Extract<Creation, { by: 'purchase' }>): Promise<CommandOutcome> {
    const offered = { premium: formatMoney(wanted.premium), inspectionRequired: wanted.inspection };
    const { quote_code } = await givenQuote(this.harness.eventStore, LIVE, offered);
    const effective_from = addDays(dayOf(this.harness.now), wanted.starts);
    const terms = { policy_duration: wanted.days, auto_renew: wanted.auto };
    return await this.harness.run(purchasePolicy, { quote_code, effective_from, ...terms });
  }

  async events(): Promise<RecordedEvent<PolicyEvent>[]> {
    return (await this.harness.events(this.#stream)) as RecordedEvent<PolicyEvent>[];
  }

  async state(): Promise<PolicyState> {
    return stateOf(policy, await this.events());
  }

  /** Returns the command of a step; undefined when the step has none. */
  async commandOf(wanted: Step): Promise<readonly [AnyCommand, object] | undefined> {
    const today = dayOf(this.harness.now);
    switch (wanted.kind) {
      case 'import': {
        const from = addDays(today, wanted.from);
        const term = { term_from: from, term_through: addDays(from, wanted.days) };
        return [
          importPolicyTerm,
          policyRow({ ...term, policy_number: this.#number, premium: formatMoney(wanted.premium) }),
        ];
      }
      case 'renew': {
        const base = wanted.after === 'today' ? today : lastTerm(await this.state()).through;
        return [
          renewPolicy,
          {
            policy_number: this.#number,
            preferred_policy_start_date: addDays(base, wanted.gap),
            policy_duration: wanted.days,
            auto_renew: wanted.auto,
            ...(wanted.additional === null
              ? {}
              : {
                  include_additional_coverage: true,
                  coverage_details: {
                    coverage_type: `extra ${this.#keys}`,
                    additional_amount: formatMoney(wanted.additional),
                  },
                }),
          },
        ];
      }
      case 'cancel':
        return [cancelPolicy, { policy_number: this.#number, cancellation_reason: 'sold' }];
      case 'activate':
        return [activatePolicy, { policy_id: (await this.state()).policyId }];
      case 'schedule':
        return await this.#dueCommand();
      default:
        return undefined;
    }
  }

  /** Returns the scheduler's next command, independent of the day. */
  async #dueCommand(): Promise<readonly [AnyCommand, object]> {
    const state = await this.state();
    const next = dueChangeOf(state);
    if (next?.kind !== 'renewal') return [activateDuePolicy, { policy_id: state.policyId }];
    return [renewDuePolicy, { policy_id: state.policyId, term_from: next.day }];
  }

  /** Runs a command and records it when it is accepted. */
  async run(command: AnyCommand, input: object): Promise<'accepted' | Refusal> {
    this.#keys += 1;
    const key = `key ${this.#keys}`;
    try {
      const outcome = await this.harness.run(command, input, { key, ...senderOf(command) });
      this.accepted.push({ command, input, key, outcome });
      return 'accepted';
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  }

  /** A refused command records nothing itself, only what the calendar owed the policy. */
  async expectOnlyDueChanges(logLength: number): Promise<void> {
    const recorded = (await this.harness.log()).slice(logLength);
    expect(recorded.filter(({ metadata }) => metadata.actor.role !== 'system')).toEqual([]);
  }

  wait(days: number): void {
    this.harness.now = startOfDay(addDays(dayOf(this.harness.now), days), UTC);
  }
}

function senderOf(command: AnyCommand): CommandOptions {
  return command.inEnvironment ? { environment: LIVE, actor: MERCHANT } : {};
}

type AddsTerm = Extract<PolicyEvent, { readonly data: { readonly term: object } }>;

function addsTerm(event: PolicyEvent): event is AddsTerm {
  return 'term' in event.data;
}

/** Checks the invariants of a policy. */
function checkPolicy(events: readonly RecordedEvent<PolicyEvent>[]): void {
  const state = stateOf(policy, events);
  const terms = agreedTerms(state);
  for (const [index, term] of terms.entries()) {
    expect(term.from <= term.through).toBe(true);
    const next = terms[index + 1];
    if (next === undefined) continue;
    expect(term.from < next.from).toBe(true);
    expect(overlap(term, next)).toBe(false);
  }
  expect(terms).toHaveLength(events.filter(addsTerm).length);
  expect(events.filter(({ type }) => type === 'PolicyActivated').length).toBeLessThanOrEqual(1);
  const shown = shownTerm(state, todayOf(state, events.at(-1)?.metadata.recordedAt ?? ''));
  expect(policyResourceOf(events)).toMatchObject({
    status: state.status,
    effective_from: shown.from,
    effective_through: shown.through,
    premium: shown.premium,
  });
}

/** Returns amount × days ÷ of, rounded half up. */
function share(amount: bigint, days: number, of: number): bigint {
  const twice = (amount * BigInt(days) * 2n) / BigInt(of);
  return (twice + 1n) / 2n;
}

/** Computes the premiums independently of the code under test, in minor units, rounded half up. */
function checkMoney(events: readonly RecordedEvent<PolicyEvent>[]): void {
  const terms: { through: string; annual: bigint }[] = [];
  let sum = 0n;
  for (const event of events) {
    if (!addsTerm(event)) continue;
    const { term } = event.data;
    const premium = parseMoney(term.premium);
    sum += premium;
    if (event.type === 'PolicyImported' || event.type === 'PolicyTermImported') {
      const days = daysBetween(term.from, term.through) + 1;
      terms.push({ through: term.through, annual: share(premium, 365, days) });
      continue;
    }
    let annual = parseSum(term.annual?.premium ?? '');
    if (event.type === 'PolicyRenewed') {
      const last = terms.toSorted((a, b) => (a.through < b.through ? -1 : 1)).at(-1);
      const details = event.data.coverageChange?.details as { additional_amount?: string } | undefined;
      annual = (last?.annual ?? 0n) + parseMoney(details?.additional_amount ?? '0');
      expect(term.annual?.premium).toBe(formatMoney(annual));
    }
    expect(premium).toBe(share(annual, event.data.days, 365));
    expect(term.through).toBe(addDays(term.from, event.data.days - 1));
    terms.push({ through: term.through, annual });
  }
  const state = stateOf(policy, events);
  expect(state.terms.reduce((total, { premium }) => total + parseMoney(premium), 0n)).toBe(sum);
}

describe('Any sequence of commands on a policy', () => {
  test('terms never overlap, premiums add up and a cancelled policy never changes', async () => {
    await fc.assert(
      fc.asyncProperty(creation, fc.array(step, { minLength: 1, maxLength: 25 }), async (created, steps) => {
        const subject = new PolicyUnderTest();
        await subject.create(created);
        for (const wanted of steps) {
          const before = await subject.events();
          if (wanted.kind === 'wait') subject.wait(wanted.days);
          const request = await subject.commandOf(wanted);
          if (request === undefined) continue;
          const log = await subject.harness.log();
          const response = await subject.run(...request);
          const after = await subject.events();
          expect(after.slice(0, before.length)).toEqual(before);
          if (stateOf(policy, before).status === 'cancelled') {
            expect(response === 'accepted' ? subject.accepted.at(-1)?.outcome.replayed : !isTemporary(response)).toBe(
              true,
            );
            expect(after).toHaveLength(before.length);
          }
          if (response instanceof Refusal) await subject.expectOnlyDueChanges(log.length);
          checkPolicy(after);
          checkMoney(after);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('a repeat with its key changes nothing and has the same result', async () => {
    await fc.assert(
      fc.asyncProperty(creation, fc.array(step, { minLength: 2, maxLength: 25 }), async (created, steps) => {
        const subject = new PolicyUnderTest();
        await subject.create(created);
        for (const wanted of steps) {
          if (wanted.kind === 'wait') subject.wait(wanted.days);
          const request = await subject.commandOf(wanted);
          if (request !== undefined) await subject.run(...request);
          const earlier = subject.accepted[wanted.kind === 'again' ? wanted.which % subject.accepted.length : -1];
          if (earlier === undefined) continue;
          const log = await subject.harness.log();
          const { command, input, key, outcome } = earlier;
          const repeated = await subject.harness.run(command, input, { key, ...senderOf(command) });
          expect(repeated).toEqual({ ...outcome, replayed: true, position: repeated.position });
          expect(await subject.harness.log()).toEqual(log);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('the invariants hold for concurrent commands, and each is executed once', async () => {
    await fc.assert(
      fc.asyncProperty(creation, fc.array(step, { minLength: 2, maxLength: 10 }), async (created, steps) => {
        const subject = new PolicyUnderTest();
        await subject.create(created);
        const request = await Promise.all(steps.map((wanted) => subject.commandOf(wanted)));
        const responses = await Promise.all(
          request.flatMap((each) => (each === undefined ? [] : [subject.run(...each)])),
        );
        const events = await subject.events();
        checkPolicy(events);
        checkMoney(events);
        const recorded = events.map(({ metadata }) => metadata.command.id);
        expect(new Set(recorded).size).toBe(recorded.length);
        for (const { outcome } of subject.accepted) expect(recorded).toContain(outcome.commandId);
        expect(responses.every((response) => response === 'accepted' || !isTemporary(response))).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});
