import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { Browser } from 'playwright-core';
import { type Policy, SuretyClient } from '#client/index.ts';
import { describeInChromium } from '../support/chromium.ts';
import { freePort } from '../support/free-port.ts';
import { cleanUp, type Service, startService, temporaryFolder } from '../support/service-process.ts';
import { ConsolePage, type SampleKeys, startWithConsole } from './console-page.ts';
import { type Disturbance, FATES, GESTURES, SEQUELS, Walk } from './walk.ts';
import { commandsOf, FORMS, type FormName } from './walked-forms.ts';

/** `CONSOLE_WALKS=50` walks as many times; `CONSOLE_SEED` repeats the walks of a failure. */
const WALKS = Number(process.env['CONSOLE_WALKS'] ?? 4);
const SEED = Number(process.env['CONSOLE_SEED'] ?? Date.now() % 2 ** 31);

interface Step extends Disturbance {
  readonly form: FormName;
}

const step = (forms: readonly FormName[]): fc.Arbitrary<Step> =>
  fc.record({
    form: fc.constantFrom(...forms),
    gesture: fc.constantFrom(...GESTURES),
    fate: fc.constantFrom(...FATES),
    sequel: fc.constantFrom(...SEQUELS),
    killAfterMs: fc.integer({ min: 0, max: 25 }),
  });

/** Every gesture on Preview, and commands whose button is gone when they were executed. */
const EXAMPLE: readonly Step[] = [
  { form: 'Change cover', gesture: 'Enter twice', fate: 'answered late', sequel: 'close and open', killAfterMs: 0 },
  { form: 'Change cover', gesture: 'Enter held', fate: 'answered', sequel: 'back and forward', killAfterMs: 0 },
  {
    form: 'Cancel policy',
    gesture: 'double click',
    fate: 'lost when it was executed',
    sequel: 'reload',
    killAfterMs: 0,
  },
];

const REPEATABLE = ['Change cover', 'Beneficiaries', 'Automatic renewal'] as const;

/** Steps of a walk: what may be done again and again, and at last what is done once to a policy. */
const steps: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.array(step(REPEATABLE), { minLength: 1, maxLength: 2 }), step(['Renew', 'Cancel policy']))
  .map(([before, last]) => [...before, last]);

describeInChromium('What a form of the console sends', (launch) => {
  const folder = temporaryFolder();
  let service: Service;
  let keys: SampleKeys;
  let browser: Browser;
  let merchant: SuretyClient;
  let policies: Policy[];
  let settings: Readonly<Record<string, string>>;

  beforeAll(async () => {
    settings = { PORT: String(await freePort()), LOG_LEVEL: 'error' };
    ({ service, keys } = await startWithConsole(join(folder, 'data'), settings));
    merchant = new SuretyClient({ url: service.url, key: keys.live });
    const all = await Array.fromAsync(merchant.merchants.policies((await merchant.me()).merchant?.short_code ?? ''));
    policies = all.filter(({ status, in_force, renewable }) => status === 'active' && in_force && renewable);
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await cleanUp(folder, [service.process]);
  });

  async function restart(): Promise<void> {
    await service.process.kill();
    service = await startService({ folder: join(folder, 'data'), settings });
  }

  /** Takes a policy of which no later term is agreed. */
  async function takePolicy(): Promise<Policy> {
    for (let policy = policies.pop(); policy !== undefined; policy = policies.pop()) {
      const { effective_through } = policy;
      const { results } = await merchant.policies.terms(policy.policy_id);
      if (results.every(({ through }) => through <= effective_through)) return policy;
    }
    throw new Error('the sample has too few policies');
  }

  /** Returns what happened to a policy, oldest first. */
  async function historyOf(policyId: string): Promise<readonly string[]> {
    return commandsOf(await Array.fromAsync(merchant.policies.history(policyId)));
  }

  test(
    'is done once, whatever is clicked, killed or lost',
    async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (walked) => {
          const { policy_id, policy_number } = await takePolicy();
          const before = await historyOf(policy_id);
          const tab = await ConsolePage.signedIn(browser, service.url, keys.live);
          const walk = new Walk(tab, restart);
          await tab.show('policies');
          await tab.shows(policy_number);
          await tab.show(`policies/${policy_id}`);
          const expected: string[] = [];
          for (const [index, { form, ...disturbance }] of walked.entries()) {
            await walk.open(form);
            expected.push(await FORMS[form](walk.dialog(form), index));
            await walk.send(form, disturbance);
          }
          expect((await historyOf(policy_id)).slice(before.length)).toEqual(expected);
          await tab.close();
        }),
        { numRuns: WALKS, seed: SEED, examples: [[EXAMPLE]], endOnFailure: true },
      );
    },
    WALKS * 60_000,
  );
});
