import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { SuretyClient } from '#client/index.ts';
import { describeInChromium } from '../support/chromium.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { cleanUp, type Service, temporaryFolder } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';
import { ConsolePage, type SampleKeys, startWithConsole } from './console-page.ts';

describeInChromium('In the console', (launch) => {
  const folder = temporaryFolder();
  let mails: MailServer;
  let service: Service;
  let keys: SampleKeys;
  let browser: Browser;
  let admin: SuretyClient;

  beforeAll(async () => {
    mails = await startMailServer();
    ({ service, keys } = await startWithConsole(join(folder, 'data'), { SMTP_URL: mails.url }));
    admin = new SuretyClient({ url: service.url, key: keys.admin });
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await cleanUp(folder, [service.process]);
    await mails.close();
  });

  /** Opens the dialog of a command. */
  async function open(tab: ConsolePage, command: string): Promise<Locator> {
    await tab.press(command);
    return tab.page.getByRole('dialog', { name: command });
  }

  /** Fills fields of a dialog, or chooses a value by its label. */
  async function fill(dialog: Locator, fields: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, value] of Object.entries(fields)) {
      const field = dialog.getByLabel(label).first();
      await field.waitFor();
      if ((await field.locator('option').count()) > 0) await field.selectOption({ label: value });
      else await field.fill(value);
    }
  }

  /** Presses the button of a dialog, and waits until the page says what was done. */
  async function send(tab: ConsolePage, dialog: Locator, command: string): Promise<void> {
    await dialog.getByRole('button', { name: command }).click();
    await tab.page
      .getByRole('status')
      .filter({ hasText: `Done: ${command}` })
      .waitFor();
  }

  /** Issues a key, and returns it as the dialog shows it this once. */
  async function issueKey(tab: ConsolePage, label: string): Promise<string> {
    const dialog = await open(tab, 'Issue key');
    await fill(dialog, { Label: label });
    await send(tab, dialog, 'Issue key');
    const key = await dialog.locator('code').innerText();
    await dialog.getByRole('button', { name: 'Close' }).click();
    return key;
  }

  test('an administrator takes a merchant to its first key, a lost one too, and a product from nothing to a quote', async () => {
    const tab = await ConsolePage.signedIn(browser, service.url, keys.admin);
    mails.behaviour = { kind: 'cut_after_data' };
    await tab.show('merchants');
    const register = await open(tab, 'Register merchant');
    await register.getByRole('button', { name: 'Register merchant' }).click();
    await register.getByRole('alert').waitFor();
    expect(await register.getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
    await tab.expectAccessible('Register merchant');
    await fill(register, { Name: 'Delta Shop', 'Business email': 'office@delta.example' });
    await send(tab, register, 'Register merchant');
    await tab.page.getByRole('heading', { name: 'Delta Shop' }).waitFor();
    await send(tab, await open(tab, 'Confirm KYC'), 'Confirm KYC');
    const merchants = await Array.fromAsync(admin.merchants.list());
    const merchant = merchants.find(({ name }) => name === 'Delta Shop');
    expect(merchant).toMatchObject({ kyc_verified: true, is_active: false });

    // Whether its verification mail arrived is not known. It is sent again.
    const parked = async () => await Array.fromAsync(admin.admin.mailJobs({ status: 'parked' }));
    await waitUntil(async () => (await parked()).length > 0);
    mails.behaviour = { kind: 'accept' };
    await tab.show('mails?status=parked');
    await send(tab, await open(tab, 'Send again'), 'Send again');
    await waitUntil(() => mails.received.filter(({ to }) => to.includes('office@delta.example')).length === 2);
    expect(await parked()).toEqual([]);

    await tab.show(`environments?merchant=${merchant?.short_code}`);
    const addition = await open(tab, 'Add environment');
    await fill(addition, { 'Environment name': 'Shops' });
    await send(tab, addition, 'Add environment');
    // The answer with the first key never comes.
    const lost = await open(tab, 'Issue key');
    await fill(lost, { Label: 'till' });
    await tab.page.route('**/IssueApiKey', async (route) => void (await route.fetch()), { times: 1 });
    await lost.getByRole('button', { name: 'Issue key' }).click();
    const [environment] = await Array.fromAsync(admin.merchants.environments(merchant?.short_code ?? ''));
    const keysOf = async () => await Array.fromAsync(admin.merchants.keys(environment?.environment_id ?? 0));
    await waitUntil(async () => (await keysOf()).length === 1);
    await tab.page.reload();
    await lost.getByText('no answer has come').waitFor();
    await lost.getByRole('button', { name: 'Issue key' }).click();
    await lost.getByText('cannot be shown again').waitFor();
    await tab.expectAccessible('Issue key, whose answer was lost');
    await lost.getByRole('button', { name: 'Issue another' }).click();
    await fill(lost, { Label: 'second till' });
    // The key is shown in this dialog or never: it stays until the answer has come.
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    await tab.page.route('**/IssueApiKey', async (route) => await answered.then(async () => await route.continue()), {
      times: 1,
    });
    await lost.getByRole('button', { name: 'Issue key' }).click();
    await tab.page.keyboard.press('Escape');
    expect(await lost.getByRole('button', { name: 'Close' }).isDisabled()).toBe(true);
    answer();
    const key = await lost.locator('code').innerText();
    await lost.getByRole('button', { name: 'Close' }).click();
    await send(tab, await open(tab, 'Revoke key'), 'Revoke key');
    const inForce = (await keysOf()).filter(({ revoked_at }) => revoked_at === null);
    expect(inForce.map(({ label }) => label)).toEqual(['second till']);
    const till = new SuretyClient({ url: service.url, key });
    expect((await till.me()).merchant?.name).toBe('Delta Shop');

    await tab.show('insurers');
    const insurer = await open(tab, 'Register insurer');
    await fill(insurer, { Name: 'Delta Mutual', 'Support email': 'help@mutual.example', 'Support phone': '+234 1' });
    await send(tab, insurer, 'Register insurer');
    await tab.page.getByRole('heading', { name: 'Delta Mutual' }).waitFor();
    await tab.show('products');
    const product = await open(tab, 'Add product');
    await fill(product, {
      Insurer: 'Delta Mutual',
      Name: 'Stall Cover',
      Description: 'Goods of a stall.',
      'Product type': 'General',
      'Base premium': '1000',
      Rating: '{"tax_percent": "much"}',
    });
    await product.getByRole('button', { name: 'Add another' }).click();
    await fill(product, { 'Coverage name': 'Goods', 'Coverage limit': '50000' });
    await product.getByRole('button', { name: 'Add product' }).click();
    await product.locator('.wrong').getByText('rating.tax_percent').waitFor();
    await tab.expectAccessible('Add product');
    await fill(product, { Rating: '{"tax_percent": "10"}' });
    await product.getByLabel('Inspection required').check();
    await send(tab, product, 'Add product');
    await tab.page.getByRole('heading', { name: 'Stall Cover' }).waitFor();
    const details = {
      customer_metadata: { first_name: 'Ada', last_name: 'Eze', email: 'ada.eze@customers.example' },
      insurance_details: { product_type: 'General' as const },
    };
    const offered = async () =>
      (await till.quotes.request(details)).filter(({ product: name }) => name === 'Stall Cover');
    const [offer] = await offered();
    expect(offer?.premium).toBe('1100.00');
    const { policy_id, policy_number } = await till.policies.purchase({ quote_code: offer?.quote_code ?? '' });
    // Only what differs is sent: the rating, which no response shows, stays.
    const change = await open(tab, 'Edit product');
    await fill(change, { 'Base premium': '2000', 'Inspection required': 'no' });
    await send(tab, change, 'Edit product');
    expect(await offered()).toMatchObject([{ premium: '2200.00' }]);
    await tab.expectAccessible('a product');
    await send(tab, await open(tab, 'Withdraw product'), 'Withdraw product');
    expect(await offered()).toEqual([]);

    // What was bought before that waits for its inspection.
    await tab.show('');
    await tab.page.getByRole('link', { name: /^Policies waiting/ }).click();
    await tab.page.getByRole('link', { name: policy_number }).click();
    await send(tab, await open(tab, 'Activate'), 'Activate');
    expect((await till.policies.get(policy_id)).status).toBe('active');
    await tab.close();
  });

  test('an administrator adds a person, whose key works until the person is removed', async () => {
    const tab = await ConsolePage.signedIn(browser, service.url, keys.admin);
    await tab.show('persons');
    const addition = await open(tab, 'Add person');
    await fill(addition, { Name: 'Ada Bello', Email: 'ada@surety.example', Role: 'Merchant' });
    await addition.getByLabel('Short code').waitFor();
    await fill(addition, { Role: 'Claims handler' });
    expect(await addition.getByLabel('Short code').count()).toBe(0);
    await addition.getByText('Authority').click();
    await fill(addition, { Currency: 'NGN', 'Approve up to': '5000' });
    await tab.expectAccessible('Add person');
    await send(tab, addition, 'Add person');
    await tab.page.getByRole('heading', { name: 'Ada Bello' }).waitFor();
    await tab.shows('approves up to NGN 5,000.00');
    const key = await issueKey(tab, 'laptop of Ada');
    const ada = new SuretyClient({ url: service.url, key });
    expect((await ada.me()).person?.name).toBe('Ada Bello');
    await tab.shows('laptop of Ada');
    await tab.expectAccessible('a person');
    const personNow = async () =>
      (await Array.fromAsync(admin.admin.persons())).find(({ email }) => email === 'ada@surety.example');
    expect((await personNow())?.authority).toMatchObject({
      currency: 'NGN',
      approve_up_to: '5000.00',
      pay_up_to: null,
    });
    // What is emptied is taken away, and what is not touched stays.
    const change = await open(tab, 'Edit person');
    await fill(change, { Name: 'Ada Bello-Eze', Currency: '', 'Approve up to': '' });
    await send(tab, change, 'Edit person');
    expect(await personNow()).toMatchObject({ name: 'Ada Bello-Eze', role: 'claims', access: 'full', authority: null });
    const removal = await open(tab, 'Remove person');
    await fill(removal, { Reason: 'Left the firm' });
    await send(tab, removal, 'Remove person');
    await expect(ada.me()).rejects.toMatchObject({ status: 401 });
    await tab.page.locator('main').getByRole('button', { name: 'Edit person' }).waitFor({ state: 'detached' });
    await tab.close();
  });

  test('hostile names of full length stay in their places, in lists, on pages and in dialogs', async () => {
    const name = '<img src=x onerror=alert(1)>\u202e'.padEnd(255, 'W');
    const { commands } = admin;
    const contact = { support_email: 'a@b.example', support_phone: '1' };
    const insurer = await commands.registerProvider({ name: name.slice(0, 80), ...contact });
    const { provider_id } = insurer.result;
    const text = { description: name, product_type: 'Other' as const, base_premium: '1', product_plan: name };
    const coverages = [{ coverage_name: name }];
    const product = (await commands.addProduct({ provider_id, name, ...text, coverages })).result;
    const person = (await commands.addPerson({ name, email: 'long@surety.example', role: 'admin' })).result;
    await commands.issueApiKey({ ...person, label: name.slice(0, 120) });
    const { short_code } = (await commands.registerMerchant({ name, business_email: 'a@b.example' })).result;
    const environment = { short_code, environment_name: name, test_mode: false };
    await commands.createEnvironment(environment);
    const tab = await ConsolePage.signedIn(browser, service.url, keys.admin);
    const overflow =
      '(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector("dialog[open]"))';
    for (const [screen, command] of [
      ['merchants', 'Register merchant'],
      [`merchants/${short_code}`, 'Edit merchant'],
      [`environments?merchant=${short_code}`, 'Issue key'],
      ['persons', 'Add person'],
      [`persons/${person.person_id}`, 'Revoke key'],
      ['keys', 'Issue key'],
      ['insurers', 'Register insurer'],
      [`insurers/${provider_id}`, 'Withdraw insurer'],
      ['products', 'Add product'],
      [`products/${product.product_id}`, 'Edit product'],
    ] as const) {
      await tab.show(screen);
      await tab.shows(/onerror=alert/);
      const dialog = await open(tab, command);
      await dialog.getByRole('button', { name: command }).waitFor();
      await tab.settled();
      for (const width of [1280, 360]) {
        await tab.page.setViewportSize({ width, height: 740 });
        const page = await tab.page.evaluate('document.documentElement.scrollWidth');
        expect([screen, await tab.page.evaluate(overflow), page]).toEqual([screen, 0, width]);
      }
      await tab.page.setViewportSize({ width: 1280, height: 900 });
      await dialog.getByRole('button', { name: 'Close' }).click();
      expect([screen, await tab.page.locator('img').count()]).toEqual([screen, 0]);
    }
    await tab.close();
  });

  test('an operator rebuilds the read models, and sees how far behind they are', async () => {
    const tab = await ConsolePage.signedIn(browser, service.url, keys.admin);
    await tab.show('rebuilds');
    const dialog = await open(tab, 'Rebuild');
    await tab.expectAccessible('Rebuild');
    await send(tab, dialog, 'Rebuild');
    await waitUntil(async () => (await admin.admin.recentRebuilds()).some(({ state }) => state === 'completed'));
    await tab.show('status');
    await tab.shows('Events behind');
    await tab.page
      .locator('dl > div')
      .filter({ hasText: /^Documents computed again20\d\d-/ })
      .waitFor();
    await tab.close();
  });

  test('those who may only read have no button but downloads and verifications', async () => {
    const issued = async (body: Parameters<typeof admin.commands.issueApiKey>[0]): Promise<string> =>
      (await admin.commands.issueApiKey(body)).result.api_key ?? '';
    const [policy] = await Array.fromAsync(admin.policies.list({ limit: 1 }, { max: 1 }));
    const [claim] = await Array.fromAsync(admin.claims.list({ limit: 1 }, { max: 1 }));
    const [product] = await Array.fromAsync(admin.products.list({ limit: 1 }, { max: 1 }));
    const [person] = await Array.fromAsync(admin.admin.persons({ limit: 1 }, { max: 1 }));
    const [code, holder] = [policy?.merchant_short_code, policy?.policy_holder.customer_id];
    const screens = [
      '',
      'claims',
      'policies',
      'merchants',
      'insurers',
      'products',
      'persons',
      'keys',
      'mails',
      'parked',
    ]
      .concat([
        'rebuilds',
        'verifications',
        `environments?merchant=${code}`,
        `merchants/${code}`,
        `claims/${claim?.claim_id}`,
      ])
      .concat([`policies/${policy?.policy_id}`, `customers/${holder}`, `products/${product?.id}`])
      .concat([`insurers/${product?.provider}`, `persons/${person?.person_id}`]);
    for (const key of [
      await issued({ role: 'auditor', label: 'audit' }),
      await issued({ role: 'admin', access: 'read', label: 'trainee' }),
    ]) {
      const tab = await ConsolePage.signedIn(browser, service.url, key);
      const seen = new Set<string>();
      for (const screen of screens) {
        await tab.show(screen);
        await tab.settled();
        expect([screen, await tab.page.locator('.failure').count()]).toEqual([screen, 0]);
        for (const button of await tab.page.locator('main').getByRole('button').all()) {
          const name = (await button.getAttribute('aria-label')) ?? (await button.innerText());
          seen.add(name.split('\n', 1)[0] ?? '');
        }
      }
      expect(
        [...seen].filter(
          (name) => !/CSV|JSON|Certificate|Download|Copy|Show|verification|Open or close|More/.test(name),
        ),
      ).toEqual([]);
      await tab.close();
    }
  });
});
