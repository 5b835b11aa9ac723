import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { SuretyClient } from '#client/index.ts';
import { describeInChromium } from '../support/chromium.ts';
import { mapConcurrently } from '#processes/runtime/run-periodically.ts';
import { termRow } from '../support/merchant-fixture.ts';
import { openSqliteEventStore } from '#stores/event-log/sqlite/sqlite-event-store.ts';
import { appendSamples, claimSettled, sampleId } from '../support/sample-events.ts';
import { cleanUp, type Service, startService, temporaryFolder } from '../support/service-process.ts';
import { ConsolePage, type SampleKeys, startWithConsole } from './console-page.ts';

/** Text that a page must show and never run, with marks that turn the direction of what follows. */
const HOSTILE = '<img src=x onerror=alert(1)>"\'&amp; \u202eabc\u202c العربية';

describeInChromium('In the console', (launch) => {
  const folder = temporaryFolder();
  let service: Service;
  let keys: SampleKeys;
  let browser: Browser;
  let merchant: SuretyClient;
  let admin: SuretyClient;

  beforeAll(async () => {
    // Links of the service lead to another address, which the console does not use.
    ({ service, keys } = await startWithConsole(join(folder, 'data'), { PUBLIC_URL: 'https://surety.example/behind' }));
    merchant = new SuretyClient({ url: service.url, key: keys.live });
    admin = new SuretyClient({ url: service.url, key: keys.admin });
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await cleanUp(folder, [service.process]);
  });

  async function fileClaim(note: string): Promise<{ readonly id: string; readonly reference: string }> {
    const incident_date = new Date().toISOString().slice(0, 10);
    const { claim_id, claim_reference_number } = await merchant.claims.submit({
      policy_number: 'HAR-HEALTH-0001',
      claim_details: {
        claim_type: 'hospital',
        incident_date,
        claim_amount: '9000.00',
        incident_description: note,
        coverage_name: 'Hospital care',
      },
    });
    return { id: claim_id, reference: claim_reference_number };
  }

  test('a claim shows two part payments and a reversal, with who did it and what is left', async () => {
    const { id: claim_id, reference } = await fileClaim('Two nights');
    await admin.commands.reviewClaim({ claim_id });
    await admin.commands.sendClaimForApproval({ claim_id });
    await admin.commands.approveClaim({ claim_id, approved_amount: '8000.00' });
    await admin.commands.payClaim({ claim_id, paid_amount: '3000.00', reference: 'first part' });
    const { result } = await admin.commands.payClaim({ claim_id, paid_amount: '2000.00', reference: 'second part' });
    await admin.commands.reversePayment({
      claim_id,
      payment_id: String(result['payment_id']),
      reason: 'wrong account',
    });

    const tab = await ConsolePage.signedIn(browser, service.url, keys.admin);
    await tab.find(reference);
    await tab.page.getByRole('heading', { name: new RegExp(`Claim ${reference}`) }).waitFor();
    await tab.shows('second part');
    await tab.settled();
    const whole = await tab.page.locator('main').innerText();
    expect(whole).toMatch(/Paid\s+NGN 3,000\.00/);
    expect(whole).toMatch(/Outstanding\s+NGN 5,000\.00/);
    expect(whole).toContain('first admin key (administrator)');
    // The reversal is last; as known before it, the second part counts.
    await tab.page.locator('details.entry summary').nth(1).click();
    await tab.page.getByRole('button', { name: 'Show as known then' }).first().click();
    await tab.shows(/values? differs? from now/);
    await tab.settled();
    expect(await tab.page.locator('main').innerText()).toMatch(/Paid\s+NGN 5,000\.00/);
    await tab.close();
  });

  test('markup, marks of direction and the longest texts are shown, not run', async () => {
    const { id, reference } = await fileClaim(HOSTILE);
    await merchant.claims.addNote(id, { text: 'x'.repeat(2_000) });
    await merchant.claims.addNote(id, { text: HOSTILE });
    const tab = await ConsolePage.signedIn(browser, service.url, keys.live);
    const dialogs: string[] = [];
    tab.page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await tab.show(`claims/${id}`);
    await tab.shows(reference);
    expect(await tab.page.locator('main').innerText()).toContain('<img src=x onerror=alert(1)>');
    expect(await tab.page.locator('main img').count()).toBe(0);
    expect(dialogs).toEqual([]);
    for (const width of [1280, 360]) {
      await tab.page.setViewportSize({ width, height: 740 });
      expect(await tab.page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
    expect(await tab.violations()).toEqual([]);
    await tab.close();
  });

  test("another merchant's policy looks like one that does not exist", async () => {
    const other = await admin.commands.registerMerchant({ name: 'Other Bank', business_email: 'o@other.example' });
    const { result } = await admin.commands.createEnvironment({
      short_code: other.result.short_code,
      environment_name: 'Live',
      test_mode: false,
    });
    const { environment_id } = result;
    const issued = await admin.commands.issueApiKey({ environment_id, label: 'other' });
    const policy = await merchant.policies.get('HAR-HEALTH-0001');
    const tab = await ConsolePage.signedIn(browser, service.url, issued.result.api_key ?? '');
    const texts: string[] = [];
    for (const id of [policy.policy_id, '00000000-0000-4000-8000-000000000000']) {
      await tab.show(`policies/${id}`);
      await tab.page.getByRole('alert').waitFor();
      await tab.settled();
      const text = await tab.page.locator('main').innerText();
      texts.push(text.replaceAll(/request [0-9a-f]{32}/g, 'request').replaceAll(id, 'id'));
    }
    expect(texts[0]).toBe(texts[1]);

    // Revoked, the key ends in one screen with the reason.
    await admin.commands.revokeApiKey({ key_id: issued.result.key_id });
    await tab.show('renewals');
    await tab.shows('its key was revoked');
    await tab.close();
  });

  test('all tabs have one session, of which no script sees the key; one that signs out or in takes the others along', async () => {
    const context = await browser.newContext();
    const open = async () => {
      const page = await context.newPage();
      await page.goto(`${service.url}/console/`);
      return page;
    };
    const [first, second] = [await open(), await open()];
    const signIn = async (key: string) => {
      await first.getByLabel('API key').fill(key);
      await first.keyboard.press('Enter');
    };
    await signIn(keys.live);
    const third = await open();
    for (const page of [first, second, third]) await page.getByText('Sample, live').waitFor();
    const visible = await first.evaluate(
      'JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])',
    );
    expect(visible).not.toMatch(/sk_|surety-session/);
    await second.getByRole('button', { name: 'Sign out' }).click();
    for (const page of [first, third]) await page.getByText('You have signed out.').waitFor();
    await signIn(keys.test);
    for (const page of [second, third]) await page.getByText('Sample, test').waitFor();
    await context.close();
  });

  test('a ticket signs in on request, leaves the address at once and works once; an agent chooses the environment', async () => {
    const { result } = await admin.commands.issueTicket({ email: 'ngozi.umeh@acme-bank.example' });
    const address = `${service.url}/console/#ticket=${result.ticket}`;
    const context = await browser.newContext();
    const page = await context.newPage();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${request.url()}`));
    await page.goto(address);
    const button = page.getByRole('button', { name: 'Sign in as Ngozi Umeh (merchant)' });
    await button.waitFor();
    expect(page.url()).toBe(`${service.url}/console/`);
    expect(sent.filter((one) => one.includes('session') || one.includes('ticket='))).toEqual([]);
    await button.click();
    await page.getByText('Ngozi Umeh').waitFor();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    const other = await context.newPage();
    await other.goto(`${service.url}/console/#/policies/BAO-MOTOR-0001`);
    await other.getByText('BAO-MOTOR-0001').first().waitFor();
    await page.getByLabel('Environment').selectOption('Sandbox');
    await page.getByText('Test', { exact: true }).waitFor();
    await other.getByText('Test', { exact: true }).waitFor();

    await page.evaluate(`location.hash = ${JSON.stringify(new URL(address).hash)}`);
    await button.click();
    await page.getByRole('alert').getByText('does not sign in any more').waitFor();
    await page.getByRole('button', { name: 'Do not sign in' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await context.close();
  });

  test('an auditor compares the portfolios of two days, and saves a report of a verification', async () => {
    const { result } = await admin.commands.issueApiKey({ role: 'auditor', label: 'auditors' });
    const tab = await ConsolePage.signedIn(browser, service.url, result.api_key ?? '');
    await tab.show('portfolio?as_of=2026-01-01&group_by=product_type');
    await tab.settled();
    const today = new Date().toISOString().slice(0, 10);
    await tab.page.getByLabel('On the day:').fill(today);
    await tab.page.getByLabel('Compare with day').fill('2026-06-01');
    await tab.shows('second line: 1 Jun 2026');
    await tab.settled();
    const { results } = await admin.admin.portfolio({ as_of: today, group_by: 'product_type' });
    const auto = results.find(({ group }) => group === 'Auto');
    expect(await tab.page.locator('main').innerText()).toContain(
      auto?.premium_in_force.replace(/\B(?=(\d{3})+\.)/g, ','),
    );
    expect(tab.page.url()).toContain('other=2026-06-01');

    await tab.show('verifications');
    await tab.page.getByRole('button', { name: 'Start verification' }).click();
    await tab.shows('all documents match it');
    expect(await tab.violations()).toEqual([]);
    await tab.close();
  });

  test('a service that is gone and comes back, and one that is busy, are named and asked again', async () => {
    const tab = await ConsolePage.signedIn(browser, service.url, keys.live);
    let failures = 5;
    await tab.page.route('**/api/v1/policies/*/', async (route) => {
      failures -= 1;
      if (failures >= 1) return await route.abort('connectionrefused');
      if (failures === 0) {
        const problem = { code: 'busy', detail: 'Too much at once', request_id: 'r' };
        return await route.fulfill({ status: 503, headers: { 'retry-after': '2' }, json: problem });
      }
      return await route.continue();
    });
    await tab.show('policies/HAR-HEALTH-0001');
    await tab.shows(/does not respond\. Trying again … no_response/);
    await tab.shows(/Too much at once Trying again … busy/);
    await tab.shows('Family Health Plan');
    await tab.page.route('**/api/v1/policies/*/', async (route) => {
      const problem = { code: 'rate_limited', detail: 'Too many requests', request_id: 'r' };
      await route.fulfill({ status: 429, headers: { 'retry-after': '60' }, json: problem });
    });
    await tab.show('policies/LAG-TRAVEL-0001');
    await tab.shows('Too many requests');
    await tab.page.getByRole('button', { name: 'Try again' }).first().waitFor();
    await tab.close();
  });

  test('a list is a download that its file name describes', async () => {
    const tab = await ConsolePage.signedIn(browser, service.url, keys.live);
    await tab.show('policies');
    await tab.settled();
    const download = tab.page.waitForEvent('download');
    await tab.page.getByRole('button', { name: 'All as CSV' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^[A-Z]{3}-[0-9A-F]{4} live policies in force on \d{4}-\d\d-\d\d\.csv$/);
    expect(readFileSync(await file.path(), 'utf8')).toContain('HAR-HEALTH-0001');
    await tab.close();
  });

  test('an expired policy is called expired, in the list of those and on its page', async () => {
    const tab = await ConsolePage.signedIn(browser, service.url, keys.live);
    await tab.show('policies');
    await tab.page.getByLabel('Which').selectOption('Expired');
    await tab.page.waitForURL(/selection=expired/);
    await tab.settled();
    const rows = await tab.page.locator('tbody tr').allInnerTexts();
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter((row) => !row.includes('Expired') || row.includes('Active'))).toEqual([]);
    await tab.page.locator('tbody a').first().click();
    await tab.shows(/Expired ended on \d+ \w+ \d{4}/);
    await tab.close();
  });

  test('a list is read by pages of 100; of two filters set at once the last one counts', async () => {
    const { environment } = await merchant.me();
    const row = (number: number) => ({ ...termRow(`LONG-${number}`), environment_id: environment?.id });
    await mapConcurrently(
      Array.from({ length: 120 }, (_, number) => number),
      8,
      async (number) => {
        await service.run('ImportPolicyTerm', row(number));
      },
    );
    const tab = await ConsolePage.signedIn(browser, service.url, keys.live);
    await tab.show('policies?product_type=Auto');
    const rows = tab.page.locator('tbody tr');
    await tab.shows('100 rows');
    await tab.page.getByRole('button', { name: 'More' }).press('Enter');
    await tab.shows(/1[2-9]\d rows/);
    const numbers = await rows.locator('td:first-child').allInnerTexts();
    expect(new Set(numbers).size).toBe(numbers.length);

    // The answer to the first filter comes after that to the second.
    const held = Promise.withResolvers<undefined>();
    await tab.page.route('**/policies/?*product_type=Travel*', async (route) => {
      await held.promise;
      await route.continue().catch(() => undefined);
    });
    await tab.page.getByLabel('Product type').selectOption('Travel');
    await tab.page.getByLabel('Product type').selectOption('Health');
    await tab.shows('HAR-HEALTH-0001');
    held.resolve(undefined);
    await tab.settled();
    const shown = await rows.allInnerTexts();
    expect(shown.filter((text) => !text.includes('Health'))).toEqual([]);
    await tab.close();
  });

  test('known at an instant alone, a policy is judged by the day of that instant; an event is found in its history', async () => {
    const { environment } = await merchant.me();
    const from = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    const through = new Date(Date.now() + 394 * 86_400_000).toISOString().slice(0, 10);
    const row = termRow('LATER-1', { term_from: from, term_through: through });
    const { policy_id } = await service.run('ImportPolicyTerm', { ...row, environment_id: environment?.id });
    const id = String(policy_id);
    const [event] = await Array.fromAsync(merchant.policies.history(id));
    const tab = await ConsolePage.signedIn(browser, service.url, keys.live);
    await tab.show(`policies/${id}?known_at=${event?.recorded_at}`);
    await tab.shows(/Not begun begins on/);
    await tab.show('policies');
    await tab.find(String(event?.event_id));
    await tab.shows('Data of the event');
    expect(await tab.page.locator('details.entry[open]').count()).toBe(1);
    expect(tab.page.url()).toContain(`event=${event?.event_id}`);
    await tab.close();
  });

  test('a platform key chooses merchant and mode, and finds a customer by name', async () => {
    const { merchant: own } = await merchant.me();
    const tab = await ConsolePage.signedIn(browser, service.url, keys.admin);
    await tab.find('ADEYEMI');
    await tab.page.getByRole('link', { name: 'Customer Folake Adeyemi' }).click();
    await tab.shows('folake.adeyemi@customer.example');
    await tab.page.getByLabel('Test data').check();
    await tab.find('okonkwo ada');
    await tab.page.getByRole('heading', { name: /^Customer / }).waitFor();
    await tab.shows('Policies, as they are now');
    await tab.show('customers');
    await tab.shows('Choose a merchant first');
    await tab.show(`claims?merchant=${own?.short_code}&claim_status=all`);
    await tab.shows(/\d+ rows/);
    await tab.page.getByLabel('Test mode').check();
    await tab.page.waitForURL(/test_mode=true/);
    await tab.settled();
    const download = tab.page.waitForEvent('download');
    await tab.page.getByRole('button', { name: 'All as CSV' }).click();
    expect((await download).suggestedFilename()).toBe(`${own?.short_code} test claims all.csv`);
    await tab.close();
  });

  test('a fragment from somebody else changes neither a command to copy nor whose list it is', async () => {
    const { merchant: own } = await merchant.me();
    const tab = await ConsolePage.signedIn(browser, service.url, keys.live);
    const hostile = encodeURIComponent('"; echo "$(id)`id`!!\n');
    await tab.show(`merchants/${own?.short_code}?environment_id=${hostile}`);
    await tab.page.getByText('The same request with curl').first().waitFor();
    for (const command of await tab.page.locator('.curl code').allTextContents())
      expect(command).toMatch(/^curl -s "[^"$`!\n]*" -H "X-API-Key: \$KEY"( -H 'Accept: [a-z/-]+')?$/);
    for (const query of ['merchant=EVI-0000', 'test_mode=true']) {
      await tab.show(`customers?${query}`);
      await tab.shows('You have no such view');
    }
    await tab.show('portfolio');
    await tab.shows('You have no such view');
    await tab.show('policies/HAR-HEALTH-0001?as_of=2026-02-30');
    await tab.shows('no day, month or instant (as_of)');
    await tab.close();
  });

  test('the command to copy names a policy whose number has an exclamation mark, without the mark', async () => {
    const { environment } = await merchant.me();
    await service.run('ImportPolicyTerm', { ...termRow('BANG!!1'), environment_id: environment?.id });
    const tab = await ConsolePage.signedIn(browser, service.url, keys.live);
    await tab.show('policies/BANG!!1');
    const command = (await tab.page.locator('.curl code', { hasText: '1/"' }).textContent()) ?? '';
    expect(command).not.toContain('!');
    const [, url = ''] = /"(.+\/policies\/BANG%21%211\/)"/.exec(command) ?? [];
    const response = await fetch(url, { headers: { 'X-API-Key': keys.live } });
    expect(await response.json()).toMatchObject({ policy_number: 'BANG!!1' });
    await tab.close();
  });

  test('the last step of a dragged slider counts, whatever the browser refuses', async () => {
    const tab = await ConsolePage.signedIn(browser, service.url, keys.live);
    await tab.find('HAR-HEALTH-0001');
    await tab.shows('Family Health Plan');
    await tab.settled();
    // Chromium ignores a change of the address after 200 in a row; here it ignores all.
    await tab.page.evaluate('history.replaceState = () => undefined');
    await tab.openClocks();
    const slider = tab.page.getByRole('slider', { name: 'On the day:' });
    await slider.focus();
    for (let step = 0; step < 40; step += 1) await tab.page.keyboard.press('ArrowLeft');
    const shown = await slider.getAttribute('aria-valuetext');
    await tab.shows(`Cover on ${shown}`);
    await tab.close();
  });

  test('the state of an installation that is gone is said, also after a reload', async () => {
    const tab = await ConsolePage.signedIn(browser, service.url, keys.admin);
    await tab.show('status');
    await tab.shows('event_store');
    await tab.page.route('**/api/**', async (route) => await route.abort('connectionrefused'));
    await tab.shows('The service does not respond. Trying again …');
    await tab.page.reload();
    await tab.shows('Signing in …');
    await tab.close();
  });

  test('a view that is opened has the focus and names the page; single keys can be switched off', async () => {
    const tab = await ConsolePage.signedIn(browser, service.url, keys.live);
    await tab.find('HAR-HEALTH-0001');
    await tab.page.getByRole('heading', { name: /Policy HAR-HEALTH-0001/ }).waitFor();
    expect(await tab.page.evaluate('document.activeElement.tagName')).toBe('MAIN');
    expect(await tab.page.title()).toBe('Policy · HAR-HEALTH-0001 · Surety');
    await tab.page.keyboard.press('?');
    await tab.page.getByLabel('Use these keys in this browser').uncheck();
    await tab.page.keyboard.press('Escape');
    await tab.page.keyboard.press('/');
    await tab.page.keyboard.press('o');
    expect(await tab.page.locator('details.entry[open]').count()).toBe(0);
    await tab.page.getByRole('button', { name: /Keyboard shortcuts/ }).click();
    await tab.page.getByLabel('Use these keys in this browser').check();
    await tab.page.keyboard.press('Escape');
    await tab.page.keyboard.press('o');
    await tab.shows('Data of the event');
    await tab.close();
  });

  test('an operator finds a parked document from its light, and what the runbook says of it', async () => {
    await service.process.stop();
    const store = openSqliteEventStore({ file: join(folder, 'data', 'events.db') });
    // The claim that it settles was never filed.
    await appendSamples(store, claimSettled(1, 1, 1));
    await store.close();
    service = await startService({ folder: join(folder, 'data'), settings: { LOG_LEVEL: 'fatal' } });
    const tab = await ConsolePage.signedIn(browser, service.url, service.adminKey);
    await tab.show('status');
    const check = tab.page.getByRole('listitem').filter({ hasText: 'parked_documents' });
    await check.getByText('Warning').waitFor();
    const runbook = tab.page.waitForEvent('popup');
    await check.getByRole('link').click();
    await (await runbook).getByRole('heading', { name: 'parked_documents' }).waitFor();
    await tab.page
      .getByRole('row', { name: /^claims / })
      .getByRole('link')
      .click();
    await tab.shows(sampleId('claim', 1));
    await tab.shows('ClaimSettlementImported.v1');
    await tab.press('Try again');
    await tab.page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click();
    await tab.page.getByRole('status').filter({ hasText: 'Done: Try again, claims' }).waitFor();
    // Nothing about it has changed, so that it is parked again.
    await tab.shows(sampleId('claim', 1));
    await tab.close();
  });
});
