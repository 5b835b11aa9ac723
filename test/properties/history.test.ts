import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  approveClaim,
  denyClaim,
  payClaim,
  reviewClaim,
  sendClaimForApproval,
} from '../../commands/claim/claim-moves.ts';
import { importClaim } from '../../commands/claim/import-claim.ts';
import { submitClaim } from '../../commands/claim/submit-claim.ts';
import type { AnyCommand } from '../../src/command-handling/command.ts';
import type { ActingEnvironment } from '../../src/domain/environment/acting-environment.ts';
import { confirmKyc } from '../../commands/merchant/confirm-kyc.ts';
import { registerMerchant } from '../../commands/merchant/register-merchant.ts';
import { resendVerification } from '../../commands/merchant/resend-verification.ts';
import { updateMerchant } from '../../commands/merchant/update-merchant.ts';
import { verifyMerchant } from '../../commands/merchant/verify-merchant.ts';
import { activatePolicy } from '../../commands/policy/activate-policy.ts';
import { cancelPolicy } from '../../commands/policy/cancel-policy.ts';
import { importPolicyTerm } from '../../commands/policy/import-policy-term.ts';
import { purchasePolicy } from '../../commands/policy/purchase-policy.ts';
import { renewPolicy } from '../../commands/policy/renew-policy.ts';
import { addDays } from '../../src/domain/values/dates.ts';
import { dayOf, type Instant } from '../../src/event-sourcing/time.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { applyChanges } from '../support/apply-changes.ts';
import { policyRow } from '../support/imports.ts';
import { givenEnvironment } from '../support/imports.ts';
import { ADMIN, CommandHarness, MERCHANT } from '../support/command-harness.ts';
import { MemoryReadModels } from '../support/memory-read-models.ts';
import { type Entry, HistoryReader, type Resource } from '../support/history-reader.ts';
import { waitForPosition, startTestProjector } from '../support/test-projector.ts';
import { givenQuote } from '../support/quotes.ts';

/** The next step; numbers select an entity modulo their count. `wait` is in milliseconds and often 0. */
interface Step {
  readonly kind: (typeof KINDS)[number];
  readonly which: number;
  readonly days: number;
  readonly wait: number;
}

const KINDS = [
  'import',
  'purchase',
  'renew',
  'cancel',
  'activate',
  'claim',
  'imported claim',
  'move claim',
  'update merchant',
  'verify merchant',
  'resend',
  'kyc',
] as const;

const DAY_MS = 86_400_000;
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...KINDS, 'import', 'renew', 'claim', 'claim', 'move claim', 'move claim', 'move claim'),
  which: fc.nat(11),
  days: fc.integer({ min: 0, max: 300 }),
  wait: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: DAY_MS, max: 200 * DAY_MS })),
});

/** A merchant with all its resources in memory; records every resource after each step. */
class TestMerchant {
  readonly harness = new CommandHarness();
  readonly readModels = new MemoryReadModels();
  readonly historyReader = new HistoryReader(this.harness, this.readModels);
  /** The recorded resource by instant; the last one of an instant counts. */
  readonly servedViews = new Map<string, Map<Instant, string>>();
  readonly instants: Instant[] = [];
  #environment: ActingEnvironment | undefined;
  #shortCode = '';
  #projector: Awaited<ReturnType<typeof startTestProjector>> | undefined;

  async start(): Promise<void> {
    this.#projector = await startTestProjector({ eventStore: this.harness.eventStore, readModels: this.readModels });
    const body = { name: 'Acme Bank', business_email: 'office@bank.example' };
    const { result } = await this.harness.run(registerMerchant, body);
    this.#shortCode = String(result.short_code);
    this.#environment = { environmentId: 1, merchantId: String(result.tenant_id), testMode: false };
    await givenEnvironment(this.harness, this.#environment);
    for (const kind of ['import', 'purchase', 'claim'] as const) {
      await this.execute({ kind, which: 0, days: 150, wait: 0 });
    }
  }

  async stop(): Promise<void> {
    await this.#projector?.stop();
  }

  async execute(wanted: Step): Promise<void> {
    const { harness } = this;
    harness.now = new Date(Date.parse(harness.now) + wanted.wait).toISOString();
    await this.recordResources();
    const [command, input] = await this.#commandOf(wanted);
    const environment = this.#environment;
    try {
      await harness.run(command, input, {
        actor: command.inEnvironment ? MERCHANT : ADMIN,
        ...(command.inEnvironment && { environment }),
        requestId: `request-${wanted.which}`,
      });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
    await this.recordResources();
  }

  /** Records every resource. */
  async recordResources(): Promise<void> {
    const { now, eventStore } = this.harness;
    if (this.#projector !== undefined) await waitForPosition(this.#projector, (await eventStore.lastPosition()) ?? 0n);
    if (this.instants.at(-1) !== now) this.instants.push(now);
    for (const resource of await this.historyReader.resources()) {
      const views = this.servedViews.get(JSON.stringify(resource)) ?? new Map<Instant, string>();
      views.set(now, await this.historyReader.view(resource));
      this.servedViews.set(JSON.stringify(resource), views);
    }
  }

  async #commandOf({ kind, which, days }: Step): Promise<readonly [AnyCommand, object]> {
    const today = dayOf(this.harness.now);
    const policy_id = await this.#keyOf('policies', which);
    const claim_id = await this.#keyOf('claims', which);
    const short_code = this.#shortCode;
    switch (kind) {
      case 'import': {
        const term = { term_from: addDays(today, days - 200), term_through: addDays(today, days - 100) };
        const customer = { customer_name: `Customer ${which % 2}`, customer_email: `c${which % 2}@customers.example` };
        return [importPolicyTerm, policyRow({ policy_number: `POL-${which % 3}`, ...term, ...customer })];
      }
      case 'purchase':
        return [purchasePolicy, await this.#purchase(which, days)];
      case 'renew':
        return [
          renewPolicy,
          { policy_id, preferred_policy_start_date: addDays(today, days * 3), policy_duration: 1 + days },
        ];
      case 'cancel':
        return [cancelPolicy, { policy_id, cancellation_reason: 'sold' }];
      case 'activate':
        return [activatePolicy, { policy_id }];
      case 'claim': {
        const blob = Buffer.from(`photo ${which}`).toString('base64');
        const documents = Array.from({ length: which % 3 }, () => ({
          document_name: 'a.jpg',
          evidence_type: 'photo',
          blob,
        }));
        const incident_date = addDays(today, -(days % 3));
        return [submitClaim, { policy_id, claim_details: { claim_type: 'Glass', incident_date }, documents }];
      }
      case 'imported claim': {
        const filed = addDays(today, -(days % 40));
        const row = {
          claim_reference_number: `OLD-${which % 3}`,
          policy_number: `POL-${which % 3}`,
          claim_amount: '5',
        };
        return [
          importClaim,
          { ...row, claim_type: 'Fire', incident_date: filed, filed_on: filed, claim_status: 'paid' },
        ];
      }
      case 'move claim':
        return await this.#nextMove(claim_id, which);
      case 'update merchant':
        return [updateMerchant, { short_code, name: `Bank ${which}`, address: which % 2 === 0 ? null : 'Marina' }];
      case 'verify merchant': {
        const token = this.harness.ports.services.verificationToken(
          this.#environment?.merchantId ?? '',
          1 + (which % 2),
        );
        return [verifyMerchant, { short_code, token }];
      }
      case 'resend':
        return [resendVerification, { short_code }];
      case 'kyc':
        return [confirmKyc, { short_code }];
      default:
        return kind satisfies never;
    }
  }

  /** Returns a command that the claim's status allows, or a denial. */
  async #nextMove(claim_id: string, which: number): Promise<readonly [AnyCommand, object]> {
    if (which % 4 === 0) return [denyClaim, { claim_id, reason: 'not covered' }];
    const text = await this.historyReader.view({ kind: 'claims', name: claim_id });
    const stage = /"name":"([a-z ]+)"\}\]/.exec(text)?.[1];
    switch (stage) {
      case 'under review':
        return [sendClaimForApproval, { claim_id }];
      case 'pending approval':
        return [approveClaim, { claim_id, approved_amount: '10' }];
      case 'approved':
        return [payClaim, { claim_id }];
      default:
        return [reviewClaim, { claim_id, note: `note ${which}` }];
    }
  }

  async #purchase(which: number, days: number): Promise<object> {
    if (this.#environment === undefined) throw new Error('the merchant is not registered');
    const { eventStore, now } = this.harness;
    const quote = await givenQuote(
      eventStore,
      this.#environment,
      {},
      { expiresAt: addDays(dayOf(now), 9) + now.slice(10) },
    );
    const startDate = which % 2 === 0 ? {} : { effective_from: addDays(dayOf(now), days) };
    const beneficiaries = [{ beneficiary_name: `Next of kin ${which}` }];
    return {
      quote_code: quote.quote_code,
      policy_duration: 1 + days,
      auto_renew: which % 3 === 0,
      beneficiaries,
      ...startDate,
    };
  }

  async #keyOf(collection: string, which: number): Promise<string> {
    const all = await this.readModels.scan(collection, { after: undefined, limit: 1_000 });
    return all[which % Math.max(1, all.length)]?.key ?? '00000000-0000-4000-8000-000000000000';
  }
}

/** Returns a resource as a history shows it: without members that depend on the day, documents by their SHA-256. */
function toHistoryForm({ kind }: Resource, text: string): unknown {
  const view = JSON.parse(text);
  if (kind === 'customers') return onlyDetails(view);
  if (kind === 'claims') {
    view.documents = view.documents.map(({ blob, ...document }: { blob: string }) => ({
      ...document,
      sha256: createHash('sha256').update(Buffer.from(blob, 'base64')).digest('hex'),
    }));
  }
  return view;
}

/** Returns whether the changes of an entry are those of the resource itself, not of a policy or claim of the customer. */
function isOwnEntry({ kind, name }: Resource, entry: Entry): boolean {
  return entry.resource === undefined || entry.resource === `${kind}/${name}`;
}

function onlyDetails(view: Readonly<Record<string, unknown>>): unknown {
  return Object.fromEntries(
    Object.entries(view).filter(([name]) => !/^links$|_(policies|claims)(_count)?$/.test(name)),
  );
}

async function withSteps(steps: readonly Step[], check: (merchant: TestMerchant) => Promise<void>): Promise<void> {
  const merchant = new TestMerchant();
  try {
    await merchant.start();
    for (const wanted of steps) await merchant.execute(wanted);
    await check(merchant);
  } finally {
    await merchant.stop();
  }
}

const sequence = fc.array(step, { minLength: 1, maxLength: 30, size: 'max' });

describe('Any sequence of commands while the clock advances', () => {
  test('known_at returns what was served at that instant, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(sequence, async (steps) => {
        await withSteps(steps, async ({ servedViews, instants, historyReader }) => {
          for (const [resourceName, views] of servedViews) {
            const resource = JSON.parse(resourceName) as Resource;
            for (const instant of instants) {
              const expected = views.get(instant) ?? 'not_known_yet';
              expect([resourceName, instant, await historyReader.view(resource, { known_at: instant })]).toEqual([
                resourceName,
                instant,
                expected,
              ]);
            }
          }
        });
      }),
      { numRuns: 60 },
    );
  });

  test('the changes of a history in their order give the current document', async () => {
    await fc.assert(
      fc.asyncProperty(sequence, fc.integer({ min: 1, max: 100 }), async (steps, limit) => {
        await withSteps(steps, async ({ historyReader }) => {
          for (const resource of await historyReader.resources()) {
            const all = await historyReader.history(resource, limit);
            const entries = all.filter((entry) => isOwnEntry(resource, entry));
            const document = applyChanges(
              undefined,
              entries.flatMap(({ changes }) => changes),
            );
            // The day alone changes the shown term of a policy, and such a change has no entry.
            const recordedAt = resource.kind === 'policies' ? entries.at(-1)?.recorded_at : undefined;
            const lastDay = recordedAt ? { known_at: recordedAt } : {};
            expect(document).toEqual(toHistoryForm(resource, await historyReader.view(resource, lastDay)));
            expect(entries.map(({ revision }) => revision)).toEqual(entries.map((_, index) => index));
          }
        });
      }),
      { numRuns: 60 },
    );
  });
});
