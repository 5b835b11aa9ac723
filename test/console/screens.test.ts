import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Font, openSync } from 'fontkit';
import type { Browser } from 'playwright-core';
import { SuretyClient } from '#client/index.ts';
import { describeInChromium } from '../support/chromium.ts';
import { cleanUp, type Service, temporaryFolder } from '../support/service-process.ts';
import { termRow } from '../support/merchant-fixture.ts';
import { ConsolePage, type SampleKeys, startWithConsole } from './console-page.ts';

const built = fileURLToPath(new URL('../../dist/console/', import.meta.url));

describeInChromium('The console', (launch) => {
  const folder = temporaryFolder();
  let service: Service;
  let keys: SampleKeys;
  let browser: Browser;

  beforeAll(async () => {
    ({ service, keys } = await startWithConsole(join(folder, 'data')));
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await cleanUp(folder, [service.process]);
  });

  const MERCHANT_SCREENS = [
    '',
    'renewals',
    'policies',
    'claims',
    'customers',
    'statement',
    'insurers',
    'products',
    'environments',
  ];
  const PLATFORM_SCREENS = [
    '',
    'claims',
    'claims?stage=submitted',
    'policies',
    'merchants',
    'insurers',
    'products',
    'persons',
    'keys',
    'portfolio?group_by=product_type',
    'portfolio?group_by=provider',
    'verifications',
    'status',
    'parked',
    'mails',
    'rebuilds',
  ];

  /** Screens that docs/console.md shows. */
  const PICTURES = new Map([
    ['claims', 'claims'],
    ['portfolio?group_by=product_type', 'portfolio'],
    ['status', 'status'],
  ]);

  test('has at most 100 kB, compressed, with its fonts, without the forms', () => {
    const names = readdirSync(built).filter((name) => name !== 'late.js');
    const sizes = names.map((name) => gzipSync(readFileSync(join(built, name))).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(100_000);
  });

  test('has the letters of the European languages in Latin script, Vietnamese, Yoruba, Hausa and Igbo', () => {
    const letters = 'ĄĆçđéĞğİıłŁñőœßŞşŠšÞþŽžỄễịơưọ̀ẹ́ṣɓɗƙƴṅụ₦€−“”…';
    for (const weight of [400, 600]) {
      const font = openSync(join(built, `noto-sans-${weight}.woff2`)) as Font;
      const missing = Array.from(letters).filter((letter) => !font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0));
      expect([weight, missing]).toEqual([weight, []]);
    }
  });

  test('shows at home what waits, each with its list, whose rows are links', async () => {
    const client = new SuretyClient({ url: service.url, key: keys.admin });
    const submitted = await Array.fromAsync(client.claims.list({ stage: 'submitted' }));
    const tab = await ConsolePage.signedIn(browser, service.url, keys.admin);
    await tab.page.getByRole('link', { name: `Claims to review ${submitted.length}` }).click();
    await tab.shows(`${submitted.length} rows`);
    // In the middle of the row, far from the text of the link.
    await tab.page.locator('tbody tr').first().click();
    await tab.page.getByRole('heading', { name: `Claim ${submitted[0]?.claim_reference_number}` }).waitFor();
    await tab.close();
  });

  test('keeps a hostile name of 255 letters in its place, in lists and on pages', async () => {
    const client = new SuretyClient({ url: service.url, key: keys.live });
    const { environment } = await client.me();
    const name = '<img src=x onerror=alert(1)>\u202e'.padEnd(255, 'W');
    const row = termRow('HOSTILE-NAME-1', { customer_name: name, product_name: 'P'.repeat(100) });
    await service.run('ImportPolicyTerm', { ...row, environment_id: environment?.id });
    const policy = await client.policies.get('HOSTILE-NAME-1');
    const { customer_id } = policy.policy_holder;
    const tab = await ConsolePage.signedIn(browser, service.url, keys.live);
    for (const screen of ['policies', 'customers', `policies/${policy.policy_id}`, `customers/${customer_id}`]) {
      await tab.show(screen);
      await tab.shows(/onerror=alert/);
      await tab.settled();
      for (const width of [1280, 861, 360]) {
        await tab.page.setViewportSize({ width, height: 740 });
        expect([screen, await tab.page.evaluate('document.documentElement.scrollWidth')]).toEqual([screen, width]);
      }
      expect([screen, await tab.page.locator('img').count()]).toEqual([screen, 0]);
    }
    await tab.close();
  });

  test('has its sidebar as a menu on a phone', async () => {
    const tab = await ConsolePage.signedIn(browser, service.url, keys.live, { viewport: { width: 360, height: 740 } });
    const { page } = tab;
    const menu = page.getByRole('button', { name: 'Menu' });
    const customers = page.getByRole('link', { name: 'Customers' });
    expect(await customers.isVisible()).toBe(false);
    await menu.press('Enter');
    expect(await tab.violations()).toEqual([]);
    await customers.press('Enter');
    await page.getByRole('heading', { name: 'Customers' }).waitFor();
    expect(await customers.isVisible()).toBe(false);
    await tab.close();
  });

  test.each([
    ['a merchant', 'live' as const, MERCHANT_SCREENS],
    ['the platform', 'admin' as const, PLATFORM_SCREENS],
  ])('has no violation that axe-core finds on the screens of %s, and fits 360 pixels', async (_, name, screens) => {
    const tab = await ConsolePage.signedIn(browser, service.url, keys[name]);
    for (const screen of screens) {
      await tab.show(screen);
      await tab.expectAccessible(screen);
      // A screen that shows only why it cannot be shown has no violation either.
      expect([screen, await tab.page.locator('.failure, main > .notice').count()]).toEqual([screen, 0]);
      if (PICTURES.has(screen)) await tab.picture(PICTURES.get(screen) ?? '');
    }
    await tab.close();
  });

  test('does not write the address of a list over that of a page that is opened meanwhile', async () => {
    const tab = await ConsolePage.signedIn(browser, service.url, keys.live);
    await tab.show('policies');
    await tab.shows(/\d+ rows/);
    await tab.page.clock.install();
    await tab.page.getByLabel('Product type').selectOption('Auto');
    // The address changes before its event comes.
    await tab.page.evaluate("history.pushState(null, '', '#/customers')");
    await tab.page.clock.runFor(1_000);
    expect(new URL(tab.page.url()).hash).toBe('#/customers');
    await tab.close();
  });

  test('has no violation on the pages of resources, the results of a search and the page of the key', async () => {
    const client = new SuretyClient({ url: service.url, key: keys.live });
    const { merchant } = await client.me();
    const [claim] = await Array.fromAsync(client.merchants.claims(merchant?.short_code ?? ''));
    const policy = await client.policies.get(claim?.policy ?? '');
    const screens = [
      `policies/${policy.policy_id}?as_of=${policy.effective_from}`,
      `claims/${claim?.claim_id}`,
      `customers/${policy.policy_holder.customer_id}`,
      `merchants/${merchant?.short_code}`,
      'policies/unknown',
    ];
    const tab = await ConsolePage.signedIn(browser, service.url, keys.live);
    for (const screen of screens) {
      await tab.show(screen);
      await tab.expectAccessible(screen);
    }
    await tab.find('nothing-has-this-number');
    await tab.shows('Nothing that you may read is found');
    await tab.expectAccessible('find');
    await tab.page.getByRole('button', { name: 'Sign out' }).click();
    await tab.expectAccessible('the page of the key');
    await tab.close();
  });

  test('finds a policy, explains its life, and downloads its certificate, by keyboard', async () => {
    const tab = await ConsolePage.signedIn(browser, service.url, keys.live);
    const { page } = tab;
    await tab.find('har-health-0001');
    await page.getByRole('heading', { name: /Policy HAR-HEALTH-0001/ }).waitFor();
    await tab.shows('Family Health Plan');
    await tab.settled();
    expect(await tab.violations()).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.setViewportSize({ width: 1280, height: 900 });

    // One key opens all entries.
    await page.locator('body').click({ position: { x: 2, y: 2 } });
    await page.keyboard.press('o');
    await tab.shows('Data of the event');
    expect(await page.locator('details.entry[open]').count()).toBe(await page.locator('details.entry').count());
    expect(await tab.violations()).toEqual([]);

    await page.keyboard.press('o');
    await tab.picture('policy');

    // When its first event was recorded, the policy had one term.
    await tab.openClocks();
    await page.getByRole('slider', { name: 'As known at:' }).focus();
    await page.keyboard.press('Home');
    await tab.shows(/values? differs? from now/);
    await page.waitForURL(/known_at=/);
    await page.getByRole('button', { name: 'Back to now' }).press('Enter');
    await page.waitForURL((url) => !url.href.includes('known_at='));

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Certificate' }).press('Enter');
    const file = await (await download).path();
    expect(readFileSync(file, 'latin1')).toMatch(/^%PDF-/);
    await tab.close();
  });

  test('shows a day before the policy as a reason, beside its history', async () => {
    const tab = await ConsolePage.signedIn(browser, service.url, keys.live);
    await tab.find('HAR-HEALTH-0001');
    await tab.shows('Family Health Plan');
    await tab.openClocks();
    await tab.page.getByLabel('or on').fill('2020-01-01');
    await tab.page.getByRole('alert').waitFor();
    expect(await tab.page.getByRole('alert').innerText()).toContain('On this day there was nothing yet');
    expect(await tab.page.locator('details.entry').count()).toBeGreaterThan(0);
    await tab.close();
  });

  test('sends a key that is typed into the find box nowhere', async () => {
    const tab = await ConsolePage.signedIn(browser, service.url, keys.live);
    const sent: string[] = [];
    tab.page.on('request', (request) => sent.push(`${request.url()} ${request.postData()}`));
    await tab.find(keys.admin);
    await tab.shows('This looks like an API key');
    expect(sent.filter((one) => one.includes('/find') || one.includes(keys.admin))).toEqual([]);
    expect(tab.page.url()).not.toContain('sk_');
    await tab.close();
  });

  test('stays signed in after a reload, and signs out on request and after half an hour without use', async () => {
    const tab = await ConsolePage.open(browser, service.url);
    await tab.page.clock.install();
    await tab.signIn(keys.live);
    await tab.page.reload();
    await tab.page.getByRole('button', { name: 'Sign out' }).waitFor();
    await tab.page.clock.fastForward(29 * 60_000);
    await tab.page.keyboard.press('Escape');
    await tab.page.clock.fastForward(29 * 60_000);
    await tab.page.getByRole('button', { name: 'Sign out' }).waitFor();
    await tab.page.clock.fastForward(2 * 60_000);
    await tab.shows('was not used for 30 minutes');
    await tab.signIn(keys.live);
    await tab.page.getByRole('button', { name: 'Sign out' }).click();
    await tab.shows('You have signed out.');
    expect(await tab.page.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
    expect(await tab.page.context().cookies()).toEqual([]);
    await tab.close();
  });
});
