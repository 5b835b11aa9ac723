import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { type Policy, SuretyClient } from '#client/index.ts';
import { describeInChromium } from '../support/chromium.ts';
import { cleanUp, type Service, temporaryFolder } from '../support/service-process.ts';
import { ConsolePage, type SampleKeys, startWithConsole } from './console-page.ts';
import { policiesInForce, takePolicy } from './sample-policies.ts';

/** Markup, and marks that turn the direction of what follows. */
const MARKUP = '<img src=x onerror=alert(1)>"\'&amp; \u202eabc\u202c العربية';
const pad = (text: string, length: number): string => text.padEnd(length, 'x');

describeInChromium('A dialog of the console shows and does not run', (launch) => {
  const folder = temporaryFolder();
  let service: Service;
  let keys: SampleKeys;
  let browser: Browser;
  let merchant: SuretyClient;
  let admin: SuretyClient;
  let policy: Policy;

  beforeAll(async () => {
    ({ service, keys } = await startWithConsole(join(folder, 'data')));
    merchant = new SuretyClient({ url: service.url, key: keys.live });
    admin = new SuretyClient({ url: service.url, key: keys.admin });
    policy = takePolicy(await policiesInForce(merchant));
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await cleanUp(folder, [service.process]);
  });

  /** Expects that a text is shown in its place, on a wide screen and a phone. */
  async function expectContained({ page }: ConsolePage, shown: Locator): Promise<void> {
    await shown.first().waitFor();
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 740 });
      const found = await page.evaluate(`(() => {
        const wide = (element) => element.scrollWidth > element.clientWidth;
        const dialog = document.querySelector('dialog[open]');
        const { right } = (dialog ?? document.documentElement).getBoundingClientRect();
        const out = [...(dialog ?? document.querySelector('main')).querySelectorAll('*')]
          .filter((element) => element.closest('table, .hidden') === null)
          .filter((element) => element.getBoundingClientRect().right > right + 1);
        return {
          images: document.querySelectorAll('img[src=x]').length,
          isPageWide: wide(document.documentElement),
          isDialogWide: dialog !== null && wide(dialog),
          out: out.slice(0, 3).map((element) => element.outerHTML.slice(0, 200)),
        };
      })()`);
      expect([width, found]).toEqual([width, { images: 0, isPageWide: false, isDialogWide: false, out: [] }]);
    }
    await page.setViewportSize({ width: 1280, height: 740 });
  }

  async function send(tab: ConsolePage, dialog: Locator, command: string): Promise<void> {
    await dialog.getByRole('button', { name: command }).click();
    await expectContained(tab, tab.page.getByRole('status').filter({ hasText: `Done: ${command}` }));
  }

  /** Opens a tab. @throws {Error} at its close where a script of a text has run */
  async function open(key: string): Promise<{ readonly tab: ConsolePage; readonly alerts: readonly string[] }> {
    const tab = await ConsolePage.signedIn(browser, service.url, key);
    const alerts: string[] = [];
    tab.page.on('dialog', (dialog) => {
      alerts.push(dialog.message());
      void dialog.dismiss();
    });
    return { tab, alerts };
  }

  test.each([
    ['markup', MARKUP],
    ['the longest word', ''],
  ])('%s in names, labels and reasons of persons, keys and environments', async (_, text) => {
    const { tab, alerts } = await open(keys.admin);
    const { result } = await admin.commands.addPerson({
      name: pad(text, 80),
      email: `someone${text.length}@acme.example`,
      role: 'claims',
    });
    await tab.show(`persons/${result.person_id}`);
    for (const command of ['Edit person', 'Issue key', 'Remove person']) {
      await tab.press(command);
      const dialog = tab.page.getByRole('dialog', { name: command });
      await expectContained(tab, dialog.getByRole('button', { name: command }));
      if (command === 'Issue key') {
        await dialog.getByLabel('Label').fill(pad(text, 80));
        await dialog.getByRole('button', { name: command }).click();
        await expectContained(tab, dialog.locator('code'));
      }
      if (command === 'Remove person') {
        await dialog.getByLabel('Reason').fill(pad(text, 255));
        await send(tab, dialog, command);
      } else await dialog.getByRole('button', { name: 'Close' }).click();
    }
    await tab.press('Revoke key');
    const revoke = tab.page.getByRole('dialog', { name: 'Revoke key' });
    await expectContained(tab, revoke.getByRole('button', { name: 'Revoke key' }));
    await send(tab, revoke, 'Revoke key');
    expect(alerts).toEqual([]);
    await tab.close();
  });

  test.each([
    ['markup', MARKUP],
    ['the longest word', ''],
  ])('%s in beneficiaries, covers and reasons of a policy, their previews and refusals', async (_, text) => {
    const { tab, alerts } = await open(keys.live);
    await tab.show(`policies/${policy.policy_id}`);
    await tab.press('Beneficiaries');
    const beneficiaries = tab.page.getByRole('dialog', { name: 'Beneficiaries' });
    await beneficiaries.getByRole('button', { name: 'Add another' }).click();
    await beneficiaries.getByLabel('Beneficiary name').last().fill(pad(text, 255));
    await beneficiaries.getByLabel('Relationship').last().fill(pad(text, 255));
    await expectContained(tab, beneficiaries);
    await send(tab, beneficiaries, 'Beneficiaries');
    await tab.press('Change cover');
    const change = tab.page.getByRole('dialog', { name: 'Change cover' });
    await change.getByLabel('Action').selectOption('modify');
    await change.getByLabel('Coverage name').fill(pad(text, 255));
    await change.getByRole('button', { name: 'Preview' }).click();
    await expectContained(tab, change.getByRole('alert'));
    await change.getByLabel('Action').selectOption('add');
    await change.getByLabel('Additional amount').fill('12.00');
    await change.getByLabel('Reason').fill(pad(text, 255));
    await change.getByRole('button', { name: 'Preview' }).click();
    await expectContained(tab, change.locator('tfoot'));
    await send(tab, change, 'Change cover');
    expect(alerts).toEqual([]);
    await tab.close();
  });

  test.each([
    ['markup', MARKUP],
    ['the longest word', ''],
  ])('%s in notes, names of files and reasons of a claim', async (_, text) => {
    const { claim_id } = await merchant.claims.submit({
      policy_number: 'HAR-HEALTH-0001',
      claim_details: {
        claim_type: 'hospital',
        incident_date: new Date().toISOString().slice(0, 10),
        claim_amount: '9000.00',
        incident_description: pad(text, 255),
      },
    });
    const { tab, alerts } = await open(keys.live);
    await tab.show(`claims/${claim_id}`);
    await tab.press('Add note');
    const note = tab.page.getByRole('dialog', { name: 'Add note' });
    await note.getByLabel('Text').fill(pad(text, 255));
    await expectContained(tab, note);
    await send(tab, note, 'Add note');
    await tab.press('Add document');
    const documents = tab.page.getByRole('dialog', { name: 'Add document' });
    const name = `${pad(text, 200).replaceAll('/', '_')}.pdf`;
    await documents.locator('input[type=file]').setInputFiles({
      name,
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.4\n%%EOF\n'),
    });
    await expectContained(tab, documents.getByText('.pdf'));
    await send(tab, documents, 'Add document');
    await tab.press('Withdraw');
    const withdraw = tab.page.getByRole('dialog', { name: 'Withdraw' });
    await withdraw.getByLabel('Reason').fill(pad(text, 255));
    await send(tab, withdraw, 'Withdraw');
    expect(alerts).toEqual([]);
    await tab.close();
  });
});
