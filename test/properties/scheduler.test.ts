import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { purchasePolicy } from '#commands/policy/purchase-policy.ts';
import { addDays, startOfDay, UTC } from '#domain/values/dates.ts';
import { policy, policyStream } from '#domain/policy/policy.ts';
import type { PolicyEvent } from '#domain/policy/policy-events.ts';
import { stateOf } from '#event-sourcing/aggregate.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { dayOf } from '#event-sourcing/time.ts';
import { createScheduler } from '../support/run-scheduler.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { CommandHarness, LIVE } from '../support/command-harness.ts';
import { crashAfterAppends } from '../support/crash-after-appends.ts';
import { givenMerchants } from '../support/imports.ts';
import { givenQuote } from '../support/quotes.ts';
import { startSchedulerHarness } from '../support/scheduler-harness.ts';

const purchase = fc.record({
  starts: fc.nat({ max: 60 }),
  // Every renewal reads the policy from its start, so that very short terms would take minutes.
  days: fc.integer({ min: 20, max: 365 }),
  autoRenew: fc.boolean(),
  inspectionRequired: fc.boolean(),
});
/**
 * Schedulers run some days later: one, several concurrently, or one that crashes after a number of appends and is
 * restarted.
 */
const run = fc.record({
  later: fc.nat({ max: 400 }),
  how: fc.oneof(fc.constantFrom('once' as const, 'concurrently' as const), fc.integer({ min: 0, max: 6 })),
});
type Purchase = typeof purchase extends fc.Arbitrary<infer T> ? T : never;
type Run = typeof run extends fc.Arbitrary<infer T> ? T : never;

/** Returns the policies after these runs of the scheduler. */
async function policiesAfter(purchases: readonly Purchase[], runs: readonly Run[]) {
  const harness = new CommandHarness();
  await givenMerchants(harness);
  const streams: string[] = [];
  for (const { starts, days, autoRenew, inspectionRequired } of purchases) {
    const { quote_code } = await givenQuote(harness.eventStore, LIVE, { inspectionRequired });
    const terms = { policy_duration: days, auto_renew: autoRenew, effective_from: addDays(dayOf(harness.now), starts) };
    const { result } = await harness.run(purchasePolicy, { quote_code, ...terms });
    streams.push(policyStream(String(result.policy_id)));
  }
  const scheduler = await startSchedulerHarness(harness);
  const runOnce = async (): Promise<void> => await createScheduler(scheduler.parts()).runOnce();
  try {
    for (const { later, how } of runs) {
      harness.now = startOfDay(addDays(dayOf(harness.now), later), UTC);
      if (typeof how === 'number') {
        const { result } = await crashAfterAppends(harness, how, runOnce);
        expect(result === undefined || result instanceof StoreUnavailable).toBe(true);
        await scheduler.stopProjector();
        await scheduler.startProjector();
      }
      await Promise.all(Array.from({ length: how === 'concurrently' ? 3 : 1 }, runOnce));
    }
  } finally {
    await scheduler.stopProjector();
  }
  const events = await Promise.all(streams.map(async (stream) => await harness.events(stream)));
  return events.map((one) => {
    const { status, autoRenew, terms } = stateOf(policy, one as RecordedEvent<PolicyEvent>[]);
    return { status, autoRenew, terms };
  });
}

test('any runs of schedulers, some concurrent or killed, give every policy the terms of one run on the last day', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(purchase, { minLength: 1, maxLength: 4 }),
      fc.array(run, { minLength: 1, maxLength: 8 }),
      async (purchases, runs) => {
        const later = runs.reduce((sum, one) => sum + one.later, 0);
        const expected = await policiesAfter(purchases, [{ later, how: 'once' }]);
        expect(await policiesAfter(purchases, runs)).toEqual(expected);
      },
    ),
    { numRuns: 100 },
  );
});
