import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { SuretyClient } from '#client/index.ts';
import { describeInChromium } from '../support/chromium.ts';
import { cleanUp, type Service, temporaryFolder } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';
import { ConsolePage, type SampleKeys, startWithConsole } from './console-page.ts';

describeInChromium("A merchant's agent", (launch) => {
  const folder = temporaryFolder();
  let service: Service;
  let keys: SampleKeys;
  let browser: Browser;
  let live: SuretyClient;
  /** Customers, each with a phone of its own. */
  let customers: Awaited<ReturnType<typeof readCustomers>>;

  beforeAll(async () => {
    ({ service, keys } = await startWithConsole(join(folder, 'data')));
    live = new SuretyClient({ url: service.url, key: keys.live });
    customers = await readCustomers();
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await cleanUp(folder, [service.process]);
  });

  async function readCustomers() {
    const all = await Array.fromAsync(live.merchants.customers((await live.me()).merchant?.short_code ?? ''));
    return all.filter(
      ({ customer_phone: own }) => all.filter(({ customer_phone }) => customer_phone === own).length === 1,
    );
  }

  /** Opens the console as a person who works in both environments. */
  async function signedInAsPerson(): Promise<ConsolePage> {
    const admin = new SuretyClient({ url: service.url, key: keys.admin });
    const { result } = await admin.commands.issueTicket({ email: 'ngozi.umeh@acme-bank.example' });
    const tab = await ConsolePage.open(browser, service.url);
    await tab.page.evaluate(`location.hash = 'ticket=${result.ticket}'`);
    await tab.page.getByRole('button', { name: 'Sign in as Ngozi Umeh (merchant)' }).click();
    await tab.page.getByRole('button', { name: 'Sign out' }).waitFor();
    return tab;
  }

  /** Answers the questions of a home, and asks for quotes. */
  async function quoteHome({ page }: ConsolePage): Promise<void> {
    await page.getByLabel('Product type').selectOption('Home');
    await page.getByLabel('Property type').selectOption('House');
    await page.getByLabel('Property value').fill('20,000,000');
    await page.getByLabel('Stationary items value').fill('1500000');
    await page.getByLabel('Mobile items value').fill('many');
    await page.getByLabel('Property location').fill('Ẹ̀kó');
    await page.getByLabel('Security details').fill('guard: by night\nalarm : "yes"');
    const send = page.locator('main form').getByRole('button', { name: 'Show offers' });
    await send.click();
    const wrong = page.getByLabel('Mobile items value');
    await waitUntil(async () => (await wrong.getAttribute('aria-invalid')) === 'true');
    expect(await wrong.evaluate('document.activeElement.value')).toBe('many');
    await wrong.fill('500000');
    const sent = page.waitForRequest(/\/api\/v1\/quotes\b/);
    await send.click();
    expect((await sent).postDataJSON()).toMatchObject({
      insurance_details: { additional_information: { security_details: { guard: 'by night', alarm: '"yes"' } } },
    });
    await page.getByRole('heading', { name: '1 offer' }).waitFor();
  }

  /** Fills and executes a command that moves money; returns the sum that its preview has shown. */
  async function executePreviewed(tab: ConsolePage, name: string, fill: (dialog: Locator) => Promise<void>) {
    await tab.press(name);
    const dialog = tab.page.getByRole('dialog', { name });
    await fill(dialog);
    await dialog.getByRole('button', { name: 'Preview' }).click();
    const total = await dialog.locator('tfoot td').innerText();
    await tab.expectAccessible(name);
    await dialog.getByRole('button', { name }).click();
    await dialog.waitFor({ state: 'detached' });
    return Number(total.replaceAll(/[^\d.]/g, ''));
  }

  test('finds a customer by phone, quotes, buys, changes the cover, names beneficiaries, and cancels in the cooling-off time', async () => {
    const customer = customers.pop();
    const tab = await signedInAsPerson();
    await tab.find(customer?.customer_phone ?? '');
    await tab.page.getByRole('heading', { name: `Customer ${customer?.full_name}` }).waitFor();
    await tab.page.getByRole('link', { name: 'New quote' }).click();
    await quoteHome(tab);
    await tab.expectAccessible('New quote');
    await tab.picture('quote');
    const price = Number((await tab.page.locator('.price').innerText()).replaceAll(',', ''));
    await tab.press('Buy');
    const dialog = tab.page.getByRole('dialog', { name: 'Buy' });
    expect(await dialog.getByLabel('First name').count()).toBe(0);
    await tab.expectAccessible('Buy');
    await dialog.getByRole('button', { name: 'Buy' }).dblclick();
    await tab.page.getByRole('status').filter({ hasText: 'Done: Buy' }).waitFor();
    const policyId = tab.page.url().split('/').at(-1) ?? '';
    const bought = await live.policies.get(policyId);
    expect([Number(bought.premium), bought.policy_holder.customer_id]).toEqual([price, customer?.customer_id]);

    const added = await executePreviewed(tab, 'Change cover', async (form) => {
      await form.getByLabel('Action').selectOption('Modify');
      await form.getByLabel('Coverage name').fill('Contents');
      await form.getByLabel('Coverage limit').fill('4000000');
      await form.getByLabel('Additional amount').fill('1500');
    });
    const contents = tab.page.getByRole('row', { name: 'Contents' });
    await contents.nth(1).getByText('4,000,000.00').waitFor();
    // Of today the limit is still the other one, and so is what is left.
    expect(await contents.first().innerText()).not.toContain('4,000,000.00');
    await tab.press('Beneficiaries');
    const form = tab.page.getByRole('dialog', { name: 'Beneficiaries' });
    await form.getByRole('button', { name: 'Add another' }).click();
    await form.getByLabel('Beneficiary name').fill('Bísí');
    await form.getByRole('button', { name: 'Beneficiaries' }).click();
    await form.waitFor({ state: 'detached' });
    const returned = await executePreviewed(tab, 'Cancel policy', async (reasons) => {
      await reasons.getByLabel('Cancellation reason').fill('Found a better price');
    });
    await tab.page.locator('main').getByText('Found a better price').first().waitFor();
    await tab.shows(', cancelled');

    // Of what a year costs more, the day that is over costs nothing.
    expect(added).toBeGreaterThan(1490);
    expect(returned).toBeCloseTo(price + added, 2);
    expect(await live.policies.get(policyId)).toMatchObject({
      status: 'cancelled',
      test_mode: false,
      beneficiaries: [{ beneficiary_name: 'Bísí' }],
    });
    const booked = await Array.fromAsync(live.policies.transactions(policyId));
    expect(booked.reduce((sum, { amount }) => sum + Number(amount), 0)).toBeCloseTo(0, 2);
    await tab.close();
  });

  test('buys once in the environment that is chosen, though the answer is lost and the page is loaded again', async () => {
    const sandbox = new SuretyClient({ url: service.url, key: keys.test });
    const code = (await sandbox.me()).merchant?.short_code ?? '';
    const before = await Array.fromAsync(sandbox.merchants.policies(code));
    const tab = await signedInAsPerson();
    await tab.page.getByLabel('Environment').selectOption('Sandbox');
    await tab.page.getByText('Test', { exact: true }).waitFor();
    await tab.show('policies');
    await tab.page.getByRole('link', { name: 'New quote' }).click();
    await quoteHome(tab);
    await tab.press('Buy');
    const dialog = tab.page.getByRole('dialog', { name: 'Buy' });
    await dialog.getByLabel('First name').fill('Àdùkẹ́ <b>\u202e');
    await dialog.getByLabel('Email').fill('aduke@customer.example');
    await tab.page.route('**/api/v1/policies/', async (route) => void (await route.fetch()), { times: 1 });
    await dialog.getByRole('button', { name: 'Buy' }).dblclick();
    const boughtSince = async () => (await Array.fromAsync(sandbox.merchants.policies(code))).length - before.length;
    await waitUntil(async () => (await boughtSince()) > 0);
    await tab.page.reload();
    await dialog.getByText('no answer has come').waitFor();
    // What waits for its answer in one environment is not sent in another.
    await tab.page.keyboard.press('Escape');
    await tab.page.getByLabel('Environment').selectOption('Production');
    await tab.page.getByText('Live', { exact: true }).waitFor();
    await tab.shows('the offers of all insurers are shown here');
    expect(await dialog.count()).toBe(0);
    await tab.page.getByLabel('Environment').selectOption('Sandbox');
    await dialog.getByRole('button', { name: 'Buy' }).click();
    await tab.page.getByRole('status').filter({ hasText: 'Done: Buy' }).waitFor();
    await tab.shows('Àdùkẹ́ <b>');
    expect(await boughtSince()).toBe(1);
    await tab.close();
  });

  test('sees the offers also where the storage of the tab is full', async () => {
    const tab = await ConsolePage.signedIn(browser, service.url, keys.live);
    await tab.page.evaluate(`for (let size = 2 ** 23; size >= 1; size /= 2)
      try { sessionStorage.setItem('full' + size, 'x'.repeat(size)); } catch {}`);
    await tab.show('policies');
    await tab.page.getByRole('link', { name: 'New quote' }).click();
    await quoteHome(tab);
    await tab.close();
  });

  test('files a claim with a document that was dropped, and clears the phone of a customer', async () => {
    const policies = await Array.fromAsync(live.merchants.policies((await live.me()).merchant?.short_code ?? ''));
    const policy = policies.find(({ in_force, status }) => in_force && status === 'active');
    const tab = await ConsolePage.signedIn(browser, service.url, keys.live);
    await tab.show(`policies/${policy?.policy_id}`);
    await tab.press('File claim');
    const dialog = tab.page.getByRole('dialog', { name: 'File claim' });
    const name = policy?.coverages[0]?.coverage_name ?? '';
    await dialog.getByLabel('Coverage name').selectOption(name);
    await dialog.getByLabel('Claim type').fill('Theft');
    await dialog.getByLabel('Claim amount').fill('12.5');
    const files = await tab.page.evaluateHandle(
      `(() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(['Stolen on the way.'], 'rapport <i>.txt'));
        return transfer;
      })()`,
    );
    await dialog.locator('.drop').dispatchEvent('drop', { dataTransfer: files });
    await dialog.getByText('rapport <i>.txt').waitFor();
    await tab.expectAccessible('File claim');
    await dialog.getByRole('button', { name: 'File claim' }).dblclick();
    await tab.page.getByRole('status').filter({ hasText: 'Done: File claim' }).waitFor();
    await tab.page.getByRole('heading', { name: /^Claim / }).waitFor();
    const claim = await live.claims.get(tab.page.url().split('/').at(-1) ?? '');
    expect(claim).toMatchObject({
      policy_number: policy?.policy_number,
      claim_details: { claim_amount: '12.50', coverage_name: name },
    });
    expect(claim.documents.map(({ document_name, size }) => [document_name, size])).toEqual([['rapport <i>.txt', 18]]);

    const customer = customers.pop();
    await tab.show(`customers/${customer?.customer_id}`);
    await tab.press('Edit customer');
    const form = tab.page.getByRole('dialog', { name: 'Edit customer' });
    await form.getByLabel('Customer phone').fill('');
    await form.getByLabel('Full name').fill('');
    await form.getByRole('button', { name: 'Edit customer' }).click();
    await waitUntil(async () => (await form.getByLabel('Full name').getAttribute('aria-invalid')) === 'true');
    await form.getByLabel('Full name').fill('Ọlá');
    await tab.expectAccessible('Edit customer');
    await form.getByRole('button', { name: 'Edit customer' }).click();
    await tab.page.getByRole('heading', { name: 'Customer Ọlá' }).waitFor();
    expect(await live.customers.get(customer?.customer_id ?? '')).toMatchObject({
      full_name: 'Ọlá',
      customer_phone: null,
      customer_email: customer?.customer_email,
    });
    await tab.close();
  });

  test('sees the first facts of a policy on the first screen of a phone, and the other buttons on request', async () => {
    const policies = await Array.fromAsync(live.merchants.policies((await live.me()).merchant?.short_code ?? ''));
    const policy = policies.find(({ in_force, status }) => in_force && status === 'active');
    const tab = await ConsolePage.signedIn(browser, service.url, keys.live, { viewport: { width: 390, height: 740 } });
    await tab.show(`policies/${policy?.policy_id}`);
    const premium = tab.page.getByText('Premium of this term');
    await premium.waitFor();
    const box = await premium.boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(740);
    const beneficiaries = tab.page.getByRole('button', { name: 'Beneficiaries' });
    expect(await beneficiaries.isVisible()).toBe(false);
    await tab.press('More actions');
    await beneficiaries.click();
    await tab.page.getByRole('dialog', { name: 'Beneficiaries' }).waitFor();
    await tab.close();
  });
});
