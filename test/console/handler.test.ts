import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { SuretyClient } from '#client/index.ts';
import { describeInChromium } from '../support/chromium.ts';
import { cleanUp, type Service, temporaryFolder } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';
import { ConsolePage, type SampleKeys, startWithConsole } from './console-page.ts';

/** A picture of one point. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PDF = Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64');

interface ClaimFile {
  document_name: string;
  evidence_type: string;
  blob: string;
}

/** Presses a button of the page, fills the dialog of that name and sends it. */
async function act(tab: ConsolePage, name: string, fill?: (dialog: Locator) => Promise<unknown>): Promise<void> {
  await tab.press(name);
  const dialog = tab.page.getByRole('dialog', { name, exact: true });
  await dialog.locator('form').waitFor();
  await fill?.(dialog);
  await dialog.getByRole('button', { name, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await tab.page
    .getByRole('status')
    .filter({ hasText: `Done: ${name}, ` })
    .waitFor();
  await tab.settled();
}

describeInChromium('Who works claims in the console', (launch) => {
  const folder = temporaryFolder();
  let service: Service;
  let keys: SampleKeys;
  let browser: Browser;
  let merchant: SuretyClient;
  let admin: SuretyClient;

  beforeAll(async () => {
    ({ service, keys } = await startWithConsole(join(folder, 'data')));
    merchant = new SuretyClient({ url: service.url, key: keys.live });
    admin = new SuretyClient({ url: service.url, key: keys.admin });
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await cleanUp(folder, [service.process]);
  });

  async function fileClaim(policy_number: string, claim_amount: string, documents: ClaimFile[] = []) {
    const incident_date = new Date().toISOString().slice(0, 10);
    const claim_details = { claim_type: 'accident', incident_date, claim_amount };
    return await merchant.claims.submit({ policy_number, claim_details, documents });
  }

  async function keyOf(email: string): Promise<{ readonly key: string; readonly personId: string }> {
    const persons = await Array.fromAsync(admin.admin.persons());
    const personId = persons.find((one) => one.email === email)?.person_id ?? '';
    const { result } = await admin.commands.issueApiKey({ person_id: personId, label: 'console' });
    return { key: result.api_key ?? '', personId };
  }

  test('a handler takes a claim from the inbox to a payment of two parts, reverses one and opens the claim again', async () => {
    const { key, personId } = await keyOf('tunde.bakare@surety.example');
    const filed = await fileClaim('HAR-HEALTH-0001', '9000.00', [
      { document_name: 'ward.png', evidence_type: 'png', blob: PNG },
      { document_name: 'bill.pdf', evidence_type: 'pdf', blob: PDF },
    ]);
    const { claim_id, claim_reference_number: reference } = filed;
    const tab = await ConsolePage.signedIn(browser, service.url, key);
    await tab.show('claims?stage=submitted');
    await tab.settled();
    await tab.expectAccessible('inbox');
    await tab.press(`Assign to me, ${reference}`);
    await tab.page.getByRole('row', { name: reference }).getByText('Tunde Bakare').waitFor();
    await tab.page.getByRole('link', { name: reference }).click();
    await tab.page.getByRole('img', { name: 'ward.png' }).waitFor();
    await tab.shows('The coverage is not known');
    await tab.expectAccessible('claim');
    await tab.page.setViewportSize({ width: 390, height: 800 });
    expect(await tab.page.getByRole('button', { name: 'Deny' }).isVisible()).toBe(false);
    await tab.page.getByRole('button', { name: 'More actions' }).click();
    await tab.page.getByRole('button', { name: 'Deny' }).waitFor();
    await tab.page.setViewportSize({ width: 1280, height: 900 });
    const opened = tab.page.waitForEvent('popup');
    await tab.press('Open bill.pdf');
    // A tab in the background renders once a second.
    await (await opened).close();

    await act(tab, 'Start review', async (dialog) => await dialog.getByLabel('Note').fill('Papers are complete'));
    // Somebody else is faster: what came of it stays, though the claim does not take it any more.
    await tab.press('Send for approval');
    await admin.commands.sendClaimForApproval({ claim_id });
    const late = tab.page.getByRole('dialog', { name: 'Send for approval' });
    await late.getByRole('button', { name: 'Send for approval' }).click();
    await tab.page.locator('main').getByRole('button', { name: 'Approve' }).waitFor();
    await late.getByRole('alert').getByText('precondition_failed').waitFor();
    await late.getByRole('button', { name: 'Close' }).click();
    await tab.press('Approve');
    const approval = tab.page.getByRole('dialog', { name: 'Approve' });
    await approval.getByLabel('Approved amount').fill('8000.00');
    await approval.getByRole('button', { name: 'Approve' }).click();
    await approval.getByRole('alert').waitFor();
    await tab.expectAccessible('dialog');
    await approval.getByLabel('Coverage name').selectOption('Hospital care');
    await approval.getByRole('button', { name: 'Approve' }).click();
    await tab.shows(`Done: Approve, ${reference}`);
    await act(tab, 'Pay', async (dialog) => await dialog.getByLabel('Paid amount').fill('3000.00'));
    await act(tab, 'Pay', async (dialog) => {
      expect(await dialog.getByLabel('Paid amount').inputValue()).toBe('5000.00');
    });
    await tab.page.getByRole('row', { name: '5,000.00' }).getByRole('button', { name: 'Reverse payment' }).click();
    const reversal = tab.page.getByRole('dialog', { name: 'Reverse payment' });
    await reversal.getByLabel('Reason').fill('wrong account');
    await reversal.getByRole('button', { name: 'Reverse payment' }).click();
    await tab.shows('Done: Reverse payment');
    await act(tab, 'Pay');
    await act(tab, 'Reopen', async (dialog) => await dialog.getByLabel('Reason').fill('another bill'));
    await act(tab, 'Add note', async (dialog) => await dialog.getByLabel('Text').fill('Called the ward'));
    await act(tab, 'Add document', async (dialog) => {
      const dataTransfer = await tab.page.evaluateHandle(
        `(() => { const data = new DataTransfer(); data.items.add(new File(['a text'], 'second.txt')); return data; })()`,
      );
      await dialog.locator('.drop').dispatchEvent('drop', { dataTransfer });
      await dialog.getByRole('listitem').filter({ hasText: 'second.txt' }).waitFor();
    });
    await act(tab, 'Assign', async (dialog) => await dialog.getByLabel('Assignee').selectOption('no one'));
    await tab.expectAccessible('claim that was worked');

    const claim = await admin.claims.get(claim_id);
    expect(claim).toMatchObject({
      claim_status: 'pending',
      claim_details: { coverage_name: 'Hospital care' },
      settlement: { paid_amount: '8000.00' },
      assignee: null,
    });
    expect(claim.payments.map(({ amount, reversed_on }) => [amount, reversed_on !== null])).toEqual([
      ['3000.00', false],
      ['5000.00', true],
      ['5000.00', false],
    ]);
    expect(claim.notes?.split('\n')).toEqual([
      'Papers are complete',
      'wrong account',
      'another bill',
      'Called the ward',
    ]);
    expect(claim.note_entries.map(({ by, text }) => [by, text])).toEqual([['Tunde Bakare', 'Called the ward']]);
    expect(claim.documents.map(({ document_name }) => document_name)).toEqual(['ward.png', 'bill.pdf', 'second.txt']);
    const history = await Array.fromAsync(admin.claims.history(claim_id));
    const assigned = history.filter(({ type }) => type.startsWith('ClaimAssigned'));
    expect(assigned.map(({ data }) => data?.['assignee'])).toEqual([personId, null]);
    await tab.close();
  });

  test('an offer is rejected and accepted by the merchant, and what is accepted is paid once, though the answer was lost', async () => {
    const { claim_id } = await fileClaim('HAR-HEALTH-0001', '700.00');
    await admin.commands.reviewClaim({ claim_id });
    await admin.commands.sendClaimForApproval({ claim_id });
    await admin.commands.approveClaim({ claim_id, coverage_name: 'Hospital care' });
    const own = await ConsolePage.signedIn(browser, service.url, keys.live);
    const tab = await ConsolePage.signedIn(browser, service.url, keys.admin);
    for (const page of [own, tab]) await page.show(`claims/${claim_id}`);
    await act(tab, 'Send offer', async (dialog) => await dialog.getByLabel('Offer amount').fill('500.00'));
    await own.page.reload();
    expect(await own.page.locator('main').getByRole('button', { name: 'Pay', exact: true }).count()).toBe(0);
    await act(own, 'Reject offer', async (dialog) => await dialog.getByLabel('Reason').fill('too little'));
    await tab.page.reload();
    await act(tab, 'Send offer', async (dialog) => await dialog.getByLabel('Offer amount').fill('600.00'));
    await own.page.reload();
    await act(own, 'Accept offer');
    await tab.page.reload();
    // The first answer never comes, and once it is paid the claim takes no payment.
    await tab.page.route('**/commands/PayClaim', async (route) => void (await route.fetch()), { times: 1 });
    await tab.press('Pay');
    const payment = tab.page.getByRole('dialog', { name: 'Pay' });
    await payment.locator('form').waitFor();
    expect(await payment.innerText()).toMatch(/Offer\s+NGN 600\.00\s+Outstanding\s+NGN 600\.00/);
    await payment.getByRole('button', { name: 'Pay' }).dblclick();
    await waitUntil(async () => (await admin.claims.get(claim_id)).claim_status === 'paid');
    await tab.page.reload();
    await payment.getByText('no answer has come').waitFor();
    await payment.getByRole('button', { name: 'Pay' }).click();
    await tab.shows('Done: Pay');
    const claim = await admin.claims.get(claim_id);
    expect(claim).toMatchObject({
      claim_status: 'paid',
      settlement: { approved_amount: '700.00', offer_amount: '600.00', paid_amount: '600.00' },
      notes: 'too little',
    });
    expect(claim.payments.length).toBe(1);
    for (const page of [own, tab]) await page.close();
  });

  test('an insurer sees its claims only, and reads why it cannot pay more than its authority', async () => {
    const other = await fileClaim('HAR-HEALTH-0001', '100.00');
    const { claim_id, claim_reference_number: reference } = await fileClaim('BAO-MOTOR-0001', '900.00');
    await admin.commands.reviseClaim({ claim_id, claim_amount: '300000.00', reason: 'repair' });
    await admin.commands.reviewClaim({ claim_id });
    await admin.commands.sendClaimForApproval({ claim_id });
    const { personId } = await keyOf('amina.sule@baobab-general.example');
    const authority = { currency: 'NGN', approve_up_to: '500000.00', pay_up_to: '100000.00' };
    await admin.commands.updatePerson({ person_id: personId, authority });
    const { key } = await keyOf('amina.sule@baobab-general.example');
    const tab = await ConsolePage.signedIn(browser, service.url, key);
    await tab.show(`claims/${other.claim_id}`);
    await tab.shows('It does not exist, or your key may not read it');
    await tab.show('claims?claim_status=all');
    await tab.page.getByRole('link', { name: reference }).waitFor();
    const shown = await tab.page.locator('tbody td.main a').allInnerTexts();
    const own = await Array.fromAsync(new SuretyClient({ url: service.url, key }).claims.list());
    expect(shown.toSorted()).toEqual(own.map((one) => one.claim_reference_number).toSorted());
    expect(shown).not.toContain(other.claim_reference_number);
    await tab.page.getByRole('link', { name: reference }).click();
    await act(tab, 'Approve', async (dialog) => {
      const coverage = dialog.getByLabel('Coverage name');
      if ((await coverage.inputValue()) === '') await coverage.selectOption({ index: 1 });
      await dialog.getByLabel('Approved amount').fill('150000.00');
    });
    await tab.shows('NGN 150,000.00 is over your authority of NGN 100,000.00');
    await tab.picture('claim');
    await tab.press('Pay');
    const payment = tab.page.getByRole('dialog', { name: 'Pay' });
    expect(await payment.getByLabel('Paid amount').inputValue()).toBe('150000.00');
    await payment.getByRole('button', { name: 'Pay' }).click();
    await payment.getByRole('alert').getByText('authority_exceeded').waitFor();
    await payment.getByLabel('Paid amount').fill('100000.00');
    await payment.getByRole('button', { name: 'Pay' }).click();
    await tab.shows(`Done: Pay, ${reference}`);
    const { settlement, payments } = await admin.claims.get(claim_id);
    expect([settlement.paid_amount, settlement.outstanding, payments.length]).toEqual(['100000.00', '50000.00', 1]);
    await tab.close();
  });
});
