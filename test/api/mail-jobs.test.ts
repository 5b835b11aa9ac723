import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ADMIN_KEY } from '../support/api-service.ts';
import { type MailHarness, startMailHarness } from '../support/mail-harness.ts';

let harness: MailHarness;
beforeAll(async () => {
  harness = await startMailHarness();
  harness.relay();
  harness.mailer();
  await harness.register('Taken');
  await harness.waitUntil(async () => (await harness.jobs('sent')).length === 1);
  harness.mailServer.behaviour = { kind: 'cut_after_data' };
  await harness.register('Cut');
  await harness.waitUntil(async () => (await harness.jobs('parked')).length === 1);
});
afterAll(async () => {
  await harness.stop();
});

describe('GET /admin/mail-jobs', () => {
  test('lists mail jobs and filters them by status', async () => {
    const route = harness.service.http.routes.find(({ path }) => path === '/api/v1/admin/mail-jobs');
    const response = await harness.service.send('GET', '/api/v1/admin/mail-jobs', { key: ADMIN_KEY });
    expect([response.status, response.json.count]).toEqual([200, 2]);
    expect(route?.reference.response.safeParse(response.json.results).success).toBe(true);
    const parked = await harness.service.send('GET', '/api/v1/admin/mail-jobs?status=parked&limit=1', {
      key: ADMIN_KEY,
    });
    expect(parked.json).toMatchObject({ count: 1, results: [{ status: 'parked', reason: 'outcome_unknown' }] });
    expect((await harness.jobs('waiting')).length).toBe(0);
  });

  test('allows auditors and rejects an unknown status', async () => {
    const { api_key: key } = await harness.service.admin('IssueApiKey', { role: 'auditor', label: 'audit' });
    expect((await harness.service.send('GET', '/api/v1/admin/mail-jobs', { key })).status).toBe(200);
    const wrong = await harness.service.send('GET', '/api/v1/admin/mail-jobs?status=lost', { key });
    expect([wrong.status, wrong.json.errors[0].field]).toEqual([400, 'status']);
  });

  test('metrics count a parked mail, and ResendMail rejects one that is not parked', async () => {
    expect((await harness.service.send('GET', '/metrics')).text).toContain('surety_mail_jobs{status="parked"} 1');
    const { job_id } = (await harness.jobs('sent'))[0];
    const request = { key: ADMIN_KEY, body: { job_id } };
    const { status, json } = await harness.service.send('POST', '/api/v1/admin/commands/ResendMail', request);
    expect([status, json.code]).toEqual([409, 'mail_job_not_parked']);
  });
});
