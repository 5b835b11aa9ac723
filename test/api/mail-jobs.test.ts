import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ADMIN_KEY } from '../support/api-service.ts';
import { type MailWorld, startMailWorld } from '../support/mail-world.ts';

let w: MailWorld;
beforeAll(async () => {
  w = await startMailWorld();
  w.relay();
  w.mailer();
  await w.register('Taken');
  await w.until(async () => (await w.jobs('sent')).length === 1);
  w.mailServer.manner = { kind: 'cut_after_data' };
  await w.register('Cut');
  await w.until(async () => (await w.jobs('parked')).length === 1);
});
afterAll(async () => {
  await w.stop();
});

describe('GET /admin/mail-jobs', () => {
  test('given mails of several kinds of end, then the list and its filter show them', async () => {
    const route = w.service.http.routes.find(({ path }) => path === '/api/v1/admin/mail-jobs');
    const answer = await w.service.send('GET', '/api/v1/admin/mail-jobs', { key: ADMIN_KEY });
    expect([answer.status, answer.json.count]).toEqual([200, 2]);
    expect(route?.reference.answer.safeParse(answer.json.results).success).toBe(true);
    const parked = await w.service.send('GET', '/api/v1/admin/mail-jobs?status=parked&limit=1', { key: ADMIN_KEY });
    expect(parked.json).toMatchObject({ count: 1, results: [{ status: 'parked', reason: 'outcome_unknown' }] });
    expect((await w.jobs('waiting')).length).toBe(0);
  });

  test('given an auditor, then it may look; given a status that there is not, then 400 names it', async () => {
    const { api_key: key } = await w.service.admin('IssueApiKey', { role: 'auditor' });
    expect((await w.service.send('GET', '/api/v1/admin/mail-jobs', { key })).status).toBe(200);
    const wrong = await w.service.send('GET', '/api/v1/admin/mail-jobs?status=lost', { key });
    expect([wrong.status, wrong.json.errors[0].field]).toEqual([400, 'status']);
  });

  test('given a parked mail, then the metrics count it, and ResendMail takes a wrong job for what it is', async () => {
    expect((await w.service.send('GET', '/metrics')).text).toContain('surety_mail_jobs{status="parked"} 1');
    const run = async (job_id: string) =>
      await w.service.send('POST', '/api/v1/admin/commands/ResendMail', { key: ADMIN_KEY, body: { job_id } });
    const sent = (await w.jobs('sent'))[0].job_id;
    const answers = [await run(sent), await run('c0ffee00-0000-4000-8000-000000000001')];
    expect(answers.map(({ status, json }) => [status, json.code])).toEqual([
      [409, 'mail_job_not_parked'],
      [404, 'mail_job_not_found'],
    ]);
  });
});
