import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { Browser } from 'playwright-core';
import { type HistoryEntry, type Policy, SuretyClient } from '#client/index.ts';
import { describeInChromium } from '../support/chromium.ts';
import { freePort } from '../support/free-port.ts';
import { cleanUp, type Service, startService, temporaryFolder } from '../support/service-process.ts';
import { ConsolePage, type SampleKeys, startWithConsole } from './console-page.ts';
import { policiesInForce, takeRenewable } from './sample-policies.ts';
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

/** Steps of a walk: what may be done again and again, and at last what is done once to a policy or a claim. */
const stepsOf = (again: readonly FormName[], last: readonly FormName[]): fc.Arbitrary<readonly Step[]> =>
  fc.tuple(fc.array(step(again), { minLength: 1, maxLength: 2 }), step(last)).map(([before, end]) => [...before, end]);
const onPolicy = stepsOf(['Change cover', 'Beneficiaries', 'Automatic renewal'], ['Renew', 'Cancel policy']);
const onClaim = stepsOf(['Add note'], ['Add note', 'Withdraw']);

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
    policies = await policiesInForce(merchant);
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

  async function fileClaim(): Promise<string> {
    const { claim_id } = await merchant.claims.submit({
      policy_number: 'HAR-HEALTH-0001',
      claim_details: {
        claim_type: 'hospital',
        incident_date: new Date().toISOString().slice(0, 10),
        claim_amount: '9000.00',
        incident_description: 'Two nights',
      },
    });
    return claim_id;
  }

  /** Walks over the page of something, of which only what the steps do is new in the history. */
  async function walkOver(
    path: string,
    walked: readonly Step[],
    historyOf: () => AsyncIterable<HistoryEntry>,
  ): Promise<void> {
    const commands = async (): Promise<readonly string[]> => commandsOf(await Array.fromAsync(historyOf()));
    const before = await commands();
    const tab = await ConsolePage.signedIn(browser, service.url, keys.live);
    const walk = new Walk(tab, restart);
    await tab.show('policies');
    await tab.page.getByRole('heading', { name: 'Policies' }).waitFor();
    await tab.show(path);
    const expected: string[] = [];
    for (const [index, { form, ...disturbance }] of walked.entries()) {
      await walk.open(form);
      expected.push(await FORMS[form](walk.dialog(form), index));
      await walk.send(form, disturbance);
    }
    expect((await commands()).slice(before.length)).toEqual(expected);
    await tab.close();
  }

  test(
    'is done once, whatever is clicked, killed or lost',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.oneof(onPolicy, onPolicy, onClaim), async (walked) => {
          if (walked.some(({ form }) => form === 'Add note')) {
            const id = await fileClaim();
            await walkOver(`claims/${id}`, walked, () => merchant.claims.history(id));
          } else {
            const { policy_id: id } = await takeRenewable(policies, merchant);
            await walkOver(`policies/${id}`, walked, () => merchant.policies.history(id));
          }
        }),
        { numRuns: WALKS, seed: SEED, examples: [[EXAMPLE]], endOnFailure: true },
      );
    },
    WALKS * 60_000,
  );
});
