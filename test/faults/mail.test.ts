import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import type { MailTransport } from '#processes/mails/mail.ts';
import { verificationTokens } from '#service/security/verification-token.ts';
import { SECRET } from '../support/api-service.ts';
import { parseMail } from '../support/mail-server.ts';
import { type MailHarness, MINUTE_MS, RETRIES, startMailHarness } from '../support/mail-harness.ts';
import { toPlainObject } from '../support/plain-object.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;

let harness: MailHarness;
beforeEach(async () => {
  harness = await startMailHarness();
  harness.scheduler();
});
afterEach(async () => {
  await harness.stop();
});

const received = (): number => harness.mailServer.received.length;
const mailAt = (index: number) => parseMail(harness.mailServer.received[index]?.raw ?? '');

async function hasJob(status: string, count = 1): Promise<boolean> {
  return (await harness.jobs(status)).length === count;
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : 1);

/** Opens the link of a mail and presses the button of the page. */
async function press(link: string): Promise<number> {
  const { pathname, searchParams } = new URL(link);
  const response = await harness.service.send('POST', pathname, {
    raw: new URLSearchParams({ token: searchParams.get('token') ?? '' }).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  return response.status;
}

describe('A mail server that accepts mails', () => {
  test('the mailed link verifies the merchant, who gets a welcome mail', async () => {
    harness.relay();
    harness.mailer();
    const { short_code: code, tenant_id: tenantId } = await harness.register('Åcme & <Bank>');
    await harness.waitUntil(() => received() === 1);
    expect(harness.mailServer.received[0]?.to).toEqual(['office@acme.example']);
    const first = mailAt(0);
    const [job] = await harness.jobs();
    expect(first.headers['message-id']).toBe(`<${job.job_id}@surety.example>`);
    expect(first.text).toContain('Hello Åcme & <Bank>,');
    expect(first.text).toContain('24 hours, until 2026-03-11 09:30:00 UTC');
    expect(first.text).toContain('help@surety.example');
    expect(first.html).toContain('Hello Åcme &amp; &lt;Bank&gt;,');
    const link = /^http\S+$/m.exec(first.text)?.[0] ?? '';
    expect(link).toBe(
      `${harness.service.url}/onboarding/verify/${code}?token=${verificationTokens(SECRET)(tenantId, 1)}`,
    );
    expect((await harness.service.send('GET', link.slice(harness.service.url.length))).status).toBe(200);
    expect(await press(link)).toBe(200);
    await harness.waitUntil(() => received() === 2);
    const second = mailAt(1);
    for (const expected of [
      tenantId,
      code,
      `${harness.service.url}/docs/`,
      'ONBOARDING_MSG_NOT_RECEIVED',
      'did not sign up',
    ]) {
      expect(second.text).toContain(expected);
      expect(second.html).toContain(expected);
    }
    expect(await press(link)).toBe(200);
    await harness.waitUntil(async () => await hasJob('sent', 2));
    await harness.waitQuietly();
    expect(received()).toBe(2);
  });

  test('events, logs and the list of mail jobs have no token or address', async () => {
    harness.relay();
    harness.mailer();
    const { tenant_id: tenantId } = await harness.register();
    await harness.waitUntil(async () => await hasJob('sent'));
    const token = verificationTokens(SECRET)(tenantId, 1);
    const events = (await harness.service.log()).map(({ stream, data, metadata }) => ({ stream, data, metadata }));
    expect(JSON.stringify(events)).not.toContain(token);
    const ofMail = JSON.stringify(events.filter(({ stream }) => stream.startsWith('mailJob-')));
    for (const text of [ofMail, JSON.stringify(await harness.jobs()), harness.service.logged.join('\n')]) {
      expect(text).not.toContain('@acme.example');
      expect(text).not.toContain(token);
    }
  });

  test('drops the old mail of a merchant that is verified or has a newer link', async () => {
    const replaced = await harness.register('Replaced');
    await harness.service.admin('ResendVerification', { short_code: replaced.short_code });
    const verified = await harness.register('Verified');
    const token = verificationTokens(SECRET)(verified.tenant_id, 1);
    await harness.service.admin('VerifyMerchant', { short_code: verified.short_code, token });
    harness.relay();
    harness.mailer();
    await harness.waitUntil(async () => (await hasJob('dropped', 2)) && (await hasJob('sent', 2)));
    expect((await harness.jobs('dropped')).map(({ reason }) => String(reason)).toSorted(compareTexts)).toEqual([
      'already_verified',
      'replaced',
    ]);
    const subjects = harness.mailServer.received.map((_, index) => mailAt(index).headers['subject'] ?? '');
    expect(subjects.toSorted(compareTexts)).toEqual(['Verify your e-mail address for Surety', 'Welcome to Surety']);
  });
});

describe('A mail server that refuses mails', () => {
  test('retries as configured and then parks the mail', async () => {
    harness.mailServer.behaviour = { kind: 'refuse_message', code: 552 };
    harness.relay();
    harness.mailer();
    await harness.register();
    for (const [index, pauseMs] of RETRIES.entries()) {
      await harness.waitUntil(() => harness.mailServer.attempts() === index + 1);
      await harness.waitUntil(async () => (await harness.jobs('waiting'))[0]?.next_attempt_at !== null);
      const [job] = await harness.jobs('waiting');
      expect(job).toMatchObject({ attempts: index + 1, last_error: 'message_refused', smtp_code: 552 });
      harness.advanceClock(pauseMs - 1);
      await harness.waitQuietly();
      expect(harness.mailServer.attempts()).toBe(index + 1);
      harness.advanceClock(1);
    }
    await harness.waitUntil(async () => await hasJob('parked'));
    expect((await harness.jobs('parked'))[0]).toMatchObject({ reason: 'refused', attempts: 3, next_attempt_at: null });
    expect((await harness.service.send('GET', '/metrics')).status).toBe(200);
    harness.advanceClock(DAY_MS / 2);
    await harness.waitQuietly();
    expect(harness.mailServer.attempts()).toBe(3);
    expect(received()).toBe(0);
    harness.mailServer.behaviour = { kind: 'accept' };
    await harness.service.admin('ResendMail', { job_id: (await harness.jobs())[0].job_id });
    await harness.waitUntil(async () => await hasJob('sent'));
    expect(received()).toBe(1);
  });
});

describe('An unknown outcome', () => {
  const never = new Promise<never>(() => {});
  const stopBeforeSending = (): MailTransport => ({ send: async () => await never });
  const stopAfterSending = (real: MailTransport): MailTransport => ({
    send: async (mail, signal) => {
      await real.send(mail, signal);
      return await never;
    },
  });

  test.each([
    ['between attempt and sending', stopBeforeSending, 0],
    ['between sending and its end', stopAfterSending, 1],
  ])('after a mailer is killed %s, the next one parks the mail after 60 s', async (_, transport, receivedCount) => {
    harness.relay();
    const dead = harness.mailer({ transport });
    await harness.register();
    await harness.waitUntil(async () => (await harness.jobs('waiting'))[0]?.attempts === 1);
    await harness.waitUntil(() => received() === receivedCount);
    harness.kill(dead);
    harness.mailer();
    harness.advanceClock(MINUTE_MS - 1);
    await harness.waitQuietly();
    expect((await harness.jobs())[0]).toMatchObject({ status: 'waiting', attempts: 1 });
    harness.advanceClock(1);
    await harness.waitUntil(async () => await hasJob('parked'));
    expect((await harness.jobs())[0]).toMatchObject({ reason: 'outcome_unknown', attempts: 1 });
    harness.advanceClock(DAY_MS / 2);
    await harness.waitQuietly();
    expect(received()).toBe(receivedCount);
    await harness.service.admin('ResendMail', { job_id: (await harness.jobs())[0].job_id });
    await harness.waitUntil(async () => await hasJob('sent'));
    expect(received()).toBe(receivedCount + 1);
  });

  test('records the result once the event store recovers after a delivery', async () => {
    const real = harness.service.parts.commandPorts.eventStore;
    let failures = 0;
    const failing = {
      ...toPlainObject(real),
      append: (async (appends) => {
        if (appends[0]?.events[0]?.type === 'MailSent.v1' && failures++ < 2)
          throw new StoreUnavailable('gone for a moment');
        return await real.append(appends);
      }) satisfies typeof real.append,
    };
    harness.relay();
    harness.mailer({ eventStore: failing });
    await harness.register();
    await harness.waitUntil(async () => await hasJob('sent'));
    expect([received(), failures]).toEqual([1, 3]);
  });
});
