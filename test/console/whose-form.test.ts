import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Route } from 'playwright-core';
import { type Policy, SuretyClient } from '#client/index.ts';
import { describeInChromium } from '../support/chromium.ts';
import { cleanUp, type Service, temporaryFolder } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';
import { ConsolePage, type SampleKeys, startWithConsole } from './console-page.ts';
import { policiesInForce, takePolicy } from './sample-policies.ts';

const BENEFICIARIES = '**/api/v1/policies/*/beneficiaries';

describeInChromium('A form of the console', (launch) => {
  const folder = temporaryFolder();
  let service: Service;
  let keys: SampleKeys;
  let browser: Browser;
  let merchant: SuretyClient;
  let admin: SuretyClient;
  let policies: Policy[];

  beforeAll(async () => {
    ({ service, keys } = await startWithConsole(join(folder, 'data')));
    merchant = new SuretyClient({ url: service.url, key: keys.live });
    admin = new SuretyClient({ url: service.url, key: keys.admin });
    policies = await policiesInForce(merchant);
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await cleanUp(folder, [service.process]);
  });

  async function revisionOf({ policy_id }: Policy): Promise<number> {
    return (await Array.fromAsync(merchant.policies.history(policy_id))).length;
  }

  /** Issues keys of one person of the merchant. */
  async function keysOfPerson(
    name: string,
    count: number,
  ): Promise<readonly { readonly id: string; readonly key: string }[]> {
    const { merchant: own, environment } = await merchant.me();
    const { result } = await admin.commands.addPerson({
      name,
      email: `${name.toLowerCase()}@acme.example`,
      role: 'merchant',
      short_code: own?.short_code ?? '',
    });
    const issue = async (label: string): Promise<{ readonly id: string; readonly key: string }> => {
      const issued = await admin.commands.issueApiKey({
        person_id: result.person_id,
        environment_id: environment?.id ?? 0,
        label,
      });
      return { id: issued.result.key_id, key: issued.result.api_key ?? '' };
    };
    return await Promise.all(Array.from({ length: count }, async (_, index) => await issue(`${name} ${index}`)));
  }

  /** Opens the form of a policy's beneficiaries and fills it. */
  async function fillBeneficiary(tab: ConsolePage, { policy_id }: Policy, name: string): Promise<void> {
    await tab.show(`policies/${policy_id}`);
    await tab.press('Beneficiaries');
    const dialog = tab.page.getByRole('dialog', { name: 'Beneficiaries' });
    await dialog.getByRole('button', { name: 'Add another' }).click();
    await dialog.getByLabel('Beneficiary name').last().fill(name);
  }

  async function sendBeneficiaries({ page }: ConsolePage): Promise<void> {
    await page.getByRole('dialog').getByRole('button', { name: 'Beneficiaries' }).click();
  }

  async function attemptsIn({ page }: ConsolePage): Promise<readonly string[]> {
    return await page.evaluate('Object.entries(sessionStorage).flat().filter((text) => text.includes("Bisi"))');
  }

  test('that is open in two tabs is done in the first; the second hears that the policy has changed', async () => {
    const policy = takePolicy(policies);
    const before = await revisionOf(policy);
    const first = await ConsolePage.signedIn(browser, service.url, keys.live);
    const second = await first.anotherTab();
    await fillBeneficiary(first, policy, 'Bisi');
    await fillBeneficiary(second, policy, 'Bola');
    await Promise.all([sendBeneficiaries(first), sendBeneficiaries(second)]);
    const refusal = (tab: ConsolePage) => tab.page.getByRole('alert').getByText('precondition_failed');
    const outcomes = [first, second].map(async (tab) => {
      await tab.page.getByRole('status').filter({ hasText: 'Done' }).or(refusal(tab)).first().waitFor();
      return await refusal(tab).count();
    });
    expect((await Promise.all(outcomes)).reduce((sum, refusals) => sum + refusals, 0)).toBe(1);
    expect(await revisionOf(policy)).toBe(before + 1);
    await first.close();
  });

  test.each(['sent again', 'answered'])(
    'of a person who has signed out leaves nothing to the next one, and is not %s as the next one',
    async (what) => {
      const policy = takePolicy(policies);
      const [next] = await keysOfPerson(what === 'answered' ? 'Ada' : 'Uche', 1);
      const tab = await ConsolePage.signedIn(browser, service.url, keys.live);
      await tab.page.clock.install();
      const released = Promise.withResolvers<void>();
      let sent = 0;
      await tab.page.route(BENEFICIARIES, async (route: Route) => {
        sent += 1;
        if (what === 'sent again') return await route.abort();
        const response = await route.fetch();
        await released.promise;
        await route.fulfill({ response });
      });
      await fillBeneficiary(tab, policy, 'Bisi');
      await sendBeneficiaries(tab);
      await waitUntil(async () => sent > 0 && (await attemptsIn(tab)).length > 0);
      await tab.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
      await tab.page.getByRole('button', { name: 'Sign out' }).click();
      await tab.page.getByLabel('API key').waitFor();
      expect(await attemptsIn(tab)).toEqual([]);
      await tab.signIn(next?.key ?? '');
      const sentBefore = sent;
      released.resolve();
      // Longer than the pauses between the attempts of a client.
      await tab.page.clock.runFor(10_000);
      await tab.page.getByRole('heading', { name: policy.policy_number }).waitFor();
      expect(await tab.page.getByRole('dialog').count()).toBe(0);
      expect(await tab.page.getByText('Done').count()).toBe(0);
      expect(sent).toBe(sentBefore);
      await tab.close();
    },
  );

  test.each([
    ['a page of a proxy as 200', { status: 200, contentType: 'text/html', body: '<h1>Sign in</h1>' }],
    ['a page of a proxy as 404', { status: 404, contentType: 'text/html', body: '<h1>No upstream</h1>' }],
    ['a redirect of a proxy', { status: 302, headers: { location: '/elsewhere' } }],
  ])('that gets %s instead of its answer is sent again as it was', async (_what, page) => {
    const policy = takePolicy(policies);
    const before = await revisionOf(policy);
    const tab = await ConsolePage.signedIn(browser, service.url, keys.live);
    const sentKeys: (string | undefined)[] = [];
    await tab.page.route(BENEFICIARIES, async (route) => {
      sentKeys.push(route.request().headers()['idempotency-key']);
      if (sentKeys.length > 1) return await route.continue();
      await route.fetch();
      await route.fulfill(page);
    });
    await fillBeneficiary(tab, policy, 'Bisi');
    await sendBeneficiaries(tab);
    await tab.shows('unexpected_response');
    await sendBeneficiaries(tab);
    await tab.shows('Done: Beneficiaries');
    expect([sentKeys.length, new Set(sentKeys).size]).toEqual([2, 1]);
    expect(await revisionOf(policy)).toBe(before + 1);
    await tab.close();
  });

  test('that is a button alone shows after a reload that no answer has come, and is sent again', async () => {
    const { claim_id } = await merchant.claims.submit({
      policy_number: 'HAR-HEALTH-0001',
      claim_details: {
        claim_type: 'hospital',
        incident_date: new Date().toISOString().slice(0, 10),
        claim_amount: '9000.00',
        incident_description: 'Two nights',
      },
    });
    const { result } = await admin.commands.issueApiKey({ role: 'claims', label: 'desk' });
    const tab = await ConsolePage.signedIn(browser, service.url, result.api_key ?? '');
    const sentKeys: (string | undefined)[] = [];
    await tab.page.route('**/AssignClaim', async (route) => {
      sentKeys.push(route.request().headers()['idempotency-key']);
      await (sentKeys.length === 1 ? undefined : route.continue());
    });
    await tab.show(`claims/${claim_id}`);
    await tab.page.getByRole('button', { name: 'Assign to me' }).click();
    await waitUntil(() => sentKeys.length > 0);
    await tab.page.reload();
    await tab.shows('no answer has come');
    await tab.page.getByRole('button', { name: 'Assign to me' }).click();
    await tab.shows('Done: Assign to me');
    expect(new Set(sentKeys).size).toBe(1);
    await tab.close();
  });

  test('that is closed before its answer comes opens no page under the person, and says what was done', async () => {
    const tab = await ConsolePage.signedIn(browser, service.url, keys.admin);
    const released = Promise.withResolvers<void>();
    await tab.page.route('**/RegisterMerchant', async (route) => {
      const response = await route.fetch();
      await released.promise;
      await route.fulfill({ response });
    });
    await tab.show('merchants');
    await tab.press('Register merchant');
    const dialog = tab.page.getByRole('dialog', { name: 'Register merchant' });
    await dialog.getByLabel('Name').fill('Gamma Shop');
    await dialog.getByLabel('Business email').fill('office@gamma.example');
    await dialog.getByRole('button', { name: 'Register merchant' }).click();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await tab.show('persons');
    await tab.page.getByRole('heading', { name: 'Persons' }).waitFor();
    released.resolve();
    await tab.shows('Done: Register merchant');
    expect(await tab.page.evaluate('location.hash')).toBe('#/persons');
    await tab.close();
  });

  test('whose session ends before its answer comes is sent again by the same person, with another key', async () => {
    const policy = takePolicy(policies);
    const before = await revisionOf(policy);
    const [first, second] = await keysOfPerson('Ngozi', 2);
    const tab = await ConsolePage.signedIn(browser, service.url, first?.key ?? '');
    await fillBeneficiary(tab, policy, 'Bisi');
    await tab.page.route(
      BENEFICIARIES,
      async (route) => {
        await route.fetch();
        await admin.commands.revokeApiKey({ key_id: first?.id ?? '' });
        await route.abort();
      },
      { times: 1 },
    );
    await sendBeneficiaries(tab);
    await tab.page.getByLabel('API key').waitFor();
    await tab.signIn(second?.key ?? '');
    await tab.shows('no answer has come');
    await sendBeneficiaries(tab);
    await tab.shows('Done: Beneficiaries');
    expect(await revisionOf(policy)).toBe(before + 1);
    expect(await attemptsIn(tab)).toEqual([]);
    await tab.close();
  });

  test('whose session has ended leaves nothing to another person', async () => {
    const policy = takePolicy(policies);
    const [first] = await keysOfPerson('Bola', 1);
    const tab = await ConsolePage.signedIn(browser, service.url, first?.key ?? '');
    await fillBeneficiary(tab, policy, 'Bisi');
    await admin.commands.revokeApiKey({ key_id: first?.id ?? '' });
    await sendBeneficiaries(tab);
    await tab.page.getByLabel('API key').waitFor();
    expect(await attemptsIn(tab)).not.toEqual([]);
    await tab.signIn(keys.live);
    await tab.page.getByRole('heading', { name: policy.policy_number }).waitFor();
    expect(await tab.page.getByRole('dialog').count()).toBe(0);
    expect(await attemptsIn(tab)).toEqual([]);
    await tab.close();
  });
});
