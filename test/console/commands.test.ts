import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type Policy, SuretyClient } from '#client/index.ts';
import { describeInChromium } from '../support/chromium.ts';
import { cleanUp, type Service, temporaryFolder } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';
import { ConsolePage, type SampleKeys, startWithConsole } from './console-page.ts';
import { policiesInForce, takeRenewable } from './sample-policies.ts';

describeInChromium('A form of the console', (launch) => {
  const folder = temporaryFolder();
  let service: Service;
  let keys: SampleKeys;
  let browser: Browser;
  let merchant: SuretyClient;
  /** Policies in force. */
  let policies: Policy[];

  beforeAll(async () => {
    ({ service, keys } = await startWithConsole(join(folder, 'data')));
    merchant = new SuretyClient({ url: service.url, key: keys.live });
    policies = await policiesInForce(merchant);
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await cleanUp(folder, [service.process]);
  });

  test('shows refusals beside their fields, the sum that moves, and the changed page after it', async () => {
    const { policy_id, policy_number } = await takeRenewable(policies, merchant);
    const before = await Array.fromAsync(merchant.policies.transactions(policy_id));
    const tab = await ConsolePage.signedIn(browser, service.url, keys.live);
    await tab.show(`policies/${policy_id}`);
    await tab.press('Cancel policy');
    const dialog = tab.page.getByRole('dialog', { name: 'Cancel policy' });
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('alert').waitFor();
    const reason = dialog.getByLabel('Cancellation reason');
    expect(await reason.getAttribute('aria-invalid')).toBe('true');
    await reason.fill('Sold the car');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('Returned to the customer').waitFor();
    const refund = await dialog.locator('tfoot td').innerText();
    await tab.picture('cancel');
    await dialog.getByRole('button', { name: 'Cancel policy' }).click();
    await tab.page
      .getByRole('status')
      .filter({ hasText: `Cancel policy, ${policy_number}` })
      .waitFor();
    await tab.page.locator('main').getByText('Sold the car').first().waitFor();
    const { status } = await merchant.policies.get(policy_id);
    expect(status).toBe('cancelled');
    const after = await Array.fromAsync(merchant.policies.transactions(policy_id));
    const returned = after.slice(before.length).reduce((sum, { amount }) => sum - Number(amount), 0);
    expect(Number(refund.replaceAll(/[^\d.]/g, ''))).toBeCloseTo(returned, 2);
    await tab.close();
  });

  test.each(['the page is loaded again', 'the person goes back and returns'])(
    'whose answer is lost is sent again with the same key, after %s: the policy is renewed once',
    async (what) => {
      const { policy_id, policy_number } = await takeRenewable(policies, merchant);
      const termsOf = async (): Promise<number> => (await merchant.policies.terms(policy_id)).results.length;
      const before = await termsOf();
      const tab = await ConsolePage.signedIn(browser, service.url, keys.live);
      await tab.show('policies');
      await tab.settled();
      await tab.show(`policies/${policy_id}`);
      await tab.press('Renew');
      const dialog = tab.page.getByRole('dialog', { name: 'Renew' });
      await dialog.getByRole('button', { name: 'Preview' }).click();
      await dialog.getByText('Premium of the new term').waitFor();
      let arrived = 0;
      await tab.page.route('**/api/v1/policies/renew/', async (route) => {
        arrived += 1;
        // The first answer never comes.
        await (arrived === 1 ? route.fetch() : route.continue());
      });
      await dialog.getByRole('button', { name: 'Renew' }).dblclick();
      await waitUntil(async () => (await termsOf()) > before);
      if (what === 'the page is loaded again') await tab.page.reload();
      else {
        await tab.page.goBack();
        await tab.page.getByRole('heading', { name: 'Policies' }).waitFor();
        await tab.page.goForward();
      }
      await dialog.getByText('no answer has come').waitFor();
      await dialog.getByRole('button', { name: 'Renew' }).click();
      await tab.page
        .getByRole('status')
        .filter({ hasText: `Renew, ${policy_number}` })
        .waitFor();
      expect(await termsOf()).toBe(before + 1);
      await tab.close();
    },
  );

  test('is refused where the policy was changed since it was shown, and not after the page has read it again', async () => {
    const { policy_id } = await takeRenewable(policies, merchant);
    const tab = await ConsolePage.signedIn(browser, service.url, keys.live);
    await tab.show(`policies/${policy_id}`);
    await tab.press('Beneficiaries');
    const dialog = tab.page.getByRole('dialog', { name: 'Beneficiaries' });
    await dialog.getByRole('button', { name: 'Add another' }).click();
    await dialog.getByLabel('Beneficiary name').fill('Bisi');
    await merchant.policies.setAutoRenew(policy_id, { auto_renew: true });
    await dialog.getByRole('button', { name: 'Beneficiaries' }).click();
    await dialog.getByRole('alert').getByText('precondition_failed').waitFor();
    await dialog.getByRole('button', { name: 'Beneficiaries' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await merchant.policies.get(policy_id)).beneficiaries).toMatchObject([{ beneficiary_name: 'Bisi' }]);
    await tab.close();
  });
});
