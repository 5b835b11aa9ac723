import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { StoreUnavailable } from '../../src/event-store/event-store.ts';
import type { MailTransport } from '../../src/mail/mail.ts';
import { MailCheckpoint } from '../../src/processes/mail-jobs/checkpoint.ts';
import { verificationTokens } from '../../src/security/verification-token.ts';
import { ADMIN_KEY, SECRET } from '../support/api-service.ts';
import { parsedMail, startMailServer } from '../support/mail-server.ts';
import { type MailWorld, MINUTE_MS, RETRIES, startMailWorld } from '../support/mail-world.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;

let w: MailWorld;
beforeEach(async () => {
  w = await startMailWorld();
  w.scheduler();
});
afterEach(async () => {
  await w.stop();
});

const received = (): number => w.mailServer.received.length;
const mailAt = (index: number) => parsedMail(w.mailServer.received[index]?.raw ?? '');

async function hasJob(status: string, count = 1): Promise<boolean> {
  return (await w.jobs(status)).length === count;
}

const byText = (a: string, b: string): number => (a < b ? -1 : 1);

/** The address that a browser is sent to, and the press of the button there. */
async function press(link: string): Promise<number> {
  const { pathname, searchParams } = new URL(link);
  const answer = await w.service.send('POST', pathname, {
    raw: new URLSearchParams({ token: searchParams.get('token') ?? '' }).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  return answer.status;
}

describe('a mail server that takes mails', () => {
  test('given a registration, when the mailed link is used, then the merchant is verified and welcomed', async () => {
    w.relay();
    w.mailer();
    const { short_code: code, tenant_id: tenantId } = await w.register('Åcme & <Bank>');
    await w.until(() => received() === 1);
    expect(w.mailServer.received[0]?.to).toEqual(['office@acme.example']);
    const first = mailAt(0);
    const [job] = await w.jobs();
    expect(first.headers['message-id']).toBe(`<${job.job_id}@surety.example>`);
    expect(first.text).toContain('Hello Åcme & <Bank>,');
    expect(first.text).toContain('24 hours, until 2026-03-11 09:30:00 UTC');
    expect(first.text).toContain('help@surety.example');
    expect(first.html).toContain('Hello Åcme &amp; &lt;Bank&gt;,');
    const link = /^http\S+$/m.exec(first.text)?.[0] ?? '';
    expect(link).toBe(`${w.service.url}/onboarding/verify/${code}?token=${verificationTokens(SECRET)(tenantId, 1)}`);
    expect((await w.service.send('GET', link.slice(w.service.url.length))).status).toBe(200);
    expect(await press(link)).toBe(200);
    await w.until(() => received() === 2);
    const second = mailAt(1);
    for (const told of [tenantId, code, `${w.service.url}/docs/`, 'ONBOARDING_MSG_NOT_RECEIVED', 'did not sign up']) {
      expect(second.text).toContain(told);
      expect(second.html).toContain(told);
    }
    expect(await press(link)).toBe(200);
    await w.until(async () => await hasJob('sent', 2));
    await w.quiet();
    expect(received()).toBe(2);
  });

  test('given mails that went out, then neither events, log nor list hold a token or an address', async () => {
    w.relay();
    w.mailer();
    const { tenant_id: tenantId } = await w.register();
    await w.until(async () => await hasJob('sent'));
    const token = verificationTokens(SECRET)(tenantId, 1);
    const events = (await w.service.log()).map(({ stream, data, metadata }) => ({ stream, data, metadata }));
    expect(JSON.stringify(events)).not.toContain(token);
    const ofMail = JSON.stringify(events.filter(({ stream }) => stream.startsWith('mailJob-')));
    for (const text of [ofMail, JSON.stringify(await w.jobs()), w.service.logged.join('\n')]) {
      expect(text).not.toContain('@acme.example');
      expect(text).not.toContain(token);
    }
  });

  test('given a merchant that was verified or got a newer link meanwhile, then its old mail is dropped', async () => {
    const replaced = await w.register('Replaced');
    await w.service.admin('ResendVerification', { short_code: replaced.short_code });
    const verified = await w.register('Verified');
    const token = verificationTokens(SECRET)(verified.tenant_id, 1);
    await w.service.admin('VerifyMerchant', { short_code: verified.short_code, token });
    w.relay();
    w.mailer();
    await w.until(async () => (await hasJob('dropped', 2)) && (await hasJob('sent', 2)));
    expect((await w.jobs('dropped')).map(({ reason }) => String(reason)).toSorted(byText)).toEqual([
      'already_verified',
      'replaced',
    ]);
    const subjects = w.mailServer.received.map((_, index) => mailAt(index).headers['subject'] ?? '');
    expect(subjects.toSorted(byText)).toEqual(['Verify your e-mail address for Surety', 'Welcome to Surety']);
  });
});

describe('a mail server that refuses', () => {
  test.each([
    [{ kind: 'refuse_receiver', code: 550 }, 'recipient_refused'],
    [{ kind: 'refuse_receiver', code: 451 }, 'recipient_refused'],
    [{ kind: 'refuse_message', code: 552 }, 'message_refused'],
  ] as const)('given %j each time, then it is tried as often as it should, and parked', async (manner, error) => {
    w.mailServer.manner = manner;
    w.relay();
    w.mailer();
    await w.register();
    for (const [index, pauseMs] of RETRIES.entries()) {
      await w.until(() => w.mailServer.tries() === index + 1);
      await w.until(async () => (await w.jobs('waiting'))[0]?.next_attempt_at !== null);
      const [job] = await w.jobs('waiting');
      expect(job).toMatchObject({ attempts: index + 1, last_error: error, smtp_code: manner.code });
      w.later(pauseMs - 1);
      await w.quiet();
      expect(w.mailServer.tries()).toBe(index + 1);
      w.later(1);
    }
    await w.until(async () => await hasJob('parked'));
    expect((await w.jobs('parked'))[0]).toMatchObject({ reason: 'refused', attempts: 3, next_attempt_at: null });
    expect((await w.service.send('GET', '/metrics')).status).toBe(200);
    w.later(DAY_MS / 2);
    await w.quiet();
    expect(w.mailServer.tries()).toBe(3);
    expect(received()).toBe(0);
    w.mailServer.manner = { kind: 'accept' };
    await w.service.admin('ResendMail', { job_id: (await w.jobs())[0].job_id });
    await w.until(async () => await hasJob('sent'));
    expect(received()).toBe(1);
  });

  test('given one that takes it the second time, then it arrives once', async () => {
    w.mailServer.manner = { kind: 'refuse_receiver', code: 451 };
    w.relay();
    w.mailer();
    await w.register();
    await w.until(async () => (await w.jobs('waiting'))[0]?.last_error === 'recipient_refused');
    w.mailServer.manner = { kind: 'accept' };
    w.later(MINUTE_MS);
    await w.until(async () => await hasJob('sent'));
    w.later(DAY_MS);
    await w.quiet();
    expect(received()).toBe(1);
  });

  test('given one that is down, then merchants are registered and verified, and mails arrive later, once', async () => {
    const { port } = w.mailServer;
    await w.mailServer.close();
    w.relay();
    w.mailer();
    const { short_code: code, tenant_id: tenantId } = await w.register();
    await w.until(async () => (await w.jobs('waiting'))[0]?.last_error === 'server_unreachable');
    const token = verificationTokens(SECRET)(tenantId, 1);
    const path = `/api/v1/merchants/${code}/verify?token=${token}`;
    expect((await w.service.send('GET', path, { key: ADMIN_KEY })).status).toBe(200);
    await w.until(async () => (await w.jobs('waiting')).filter(({ last_error }) => last_error !== null).length === 2);
    w.mailServer = await startMailServer(port);
    w.later(MINUTE_MS);
    await w.until(async () => (await hasJob('sent')) && (await hasJob('dropped')));
    w.later(DAY_MS);
    await w.quiet();
    expect(w.mailServer.received.map((_, index) => mailAt(index).headers['subject'])).toEqual(['Welcome to Surety']);
  });
});

describe('an outcome that nobody knows', () => {
  test('given a line that is cut behind the message, then it is parked, never repeated, but on demand', async () => {
    w.mailServer.manner = { kind: 'cut_after_data' };
    w.relay();
    w.mailer();
    await w.register();
    await w.until(async () => await hasJob('parked'));
    const [job] = await w.jobs('parked');
    expect(job).toMatchObject({ reason: 'outcome_unknown', attempts: 1 });
    w.mailServer.manner = { kind: 'accept' };
    w.later(DAY_MS / 2);
    await w.quiet();
    expect(received()).toBe(1);
    expect((await w.service.send('GET', '/metrics')).text).not.toContain('@');
    await w.service.admin('ResendMail', { job_id: job.job_id });
    await w.until(async () => await hasJob('sent'));
    expect(received()).toBe(2);
    expect(mailAt(0).headers['message-id']).toBe(mailAt(1).headers['message-id']);
  });

  const never = new Promise<never>(() => {});
  const killedBeforeSending = (): MailTransport => ({ send: async () => await never });
  const killedAfterSending = (real: MailTransport): MailTransport => ({
    send: async (mail, signal) => {
      await real.send(mail, signal);
      return await never;
    },
  });

  test.each([
    ['between attempt and sending', killedBeforeSending, 0],
    ['between sending and its end', killedAfterSending, 1],
  ])('given a worker killed %s, then the next one waits 60 s and parks it', async (_, transport, arrived) => {
    w.relay();
    const dead = w.mailer({ transport });
    await w.register();
    await w.until(async () => (await w.jobs('waiting'))[0]?.attempts === 1);
    await w.until(() => received() === arrived);
    w.kill(dead);
    w.mailer();
    w.later(MINUTE_MS - 1);
    await w.quiet();
    expect((await w.jobs())[0]).toMatchObject({ status: 'waiting', attempts: 1 });
    w.later(1);
    await w.until(async () => await hasJob('parked'));
    expect((await w.jobs())[0]).toMatchObject({ reason: 'outcome_unknown', attempts: 1 });
    w.later(DAY_MS / 2);
    await w.quiet();
    expect(received()).toBe(arrived);
    await w.service.admin('ResendMail', { job_id: (await w.jobs())[0].job_id });
    await w.until(async () => await hasJob('sent'));
    expect(received()).toBe(arrived + 1);
  });

  test('given an event store that fails behind the mail, then its end is told as soon as it can be', async () => {
    const real = w.service.parts.commandPorts.eventStore;
    let failures = 0;
    const failing = {
      ...bound(real),
      append: (async (stream, expected, events) => {
        if (events[0]?.type === 'MailSent.v1' && failures++ < 2) throw new StoreUnavailable('gone for a moment');
        return await real.append(stream, expected, events);
      }) satisfies typeof real.append,
    };
    w.relay();
    w.mailer({ eventStore: failing });
    await w.register();
    await w.until(async () => await hasJob('sent'));
    expect([received(), failures]).toEqual([1, 3]);
  });
});

describe('several workers, and a relay that is killed', () => {
  test('given three mailers on one queue, when many mails are due, then each is sent once', async () => {
    w.relay();
    for (let count = 0; count < 3; count++) w.mailer();
    const names = Array.from({ length: 12 }, (_, index) => `Merchant ${index}`);
    await Promise.all(names.map(async (name) => await w.register(name)));
    await w.until(async () => await hasJob('sent', names.length));
    await w.quiet();
    const ids = w.mailServer.received.map((_, index) => mailAt(index).headers['message-id']);
    expect([ids.length, new Set(ids).size]).toEqual([names.length, names.length]);
  });

  test('given a relay killed between publishing and its checkpoint, then the mail goes out once', async () => {
    const { records } = w.service.parts.commandPorts;
    const published = Promise.withResolvers<void>();
    const dying = new MailCheckpoint({
      getValue: async (name) => await records.getValue(name),
      fenceValue: async (name, fence) => await records.fenceValue(name, fence),
      setValue: async () => {
        published.resolve();
        throw new StoreUnavailable('killed');
      },
    });
    const killed = w.relay({ checkpoint: dying });
    await w.register();
    await published.promise;
    w.kill(killed);
    w.mailer();
    await w.until(async () => await hasJob('sent'));
    w.relay();
    await w.register('Second');
    await w.until(async () => await hasJob('sent', 2));
    await w.quiet();
    expect(received()).toBe(2);
  });

  test('given a relay killed before publishing, when the next one starts, then nothing is lost', async () => {
    const asked = Promise.withResolvers<void>();
    const killed = w.relay({
      queues: {
        publish: async () => {
          asked.resolve();
          throw new StoreUnavailable('killed');
        },
      },
    });
    await w.register();
    await asked.promise;
    w.kill(killed);
    w.relay();
    w.mailer();
    await w.until(() => received() === 1);
  });

  test('given a queue that lost what was published, when the mail was not taken up within 60 s, then it is sent once', async () => {
    const relay = w.relay();
    await w.register();
    await w.until(async () => (await w.jobs('requested'))[0]?.requests === 1);
    await relay.stop();
    w.loseQueue();
    w.relay();
    w.mailer();
    w.later(MINUTE_MS - 1);
    await w.quiet();
    expect(received()).toBe(0);
    w.later(1);
    await w.until(async () => await hasJob('sent'));
    w.later(DAY_MS / 2);
    await w.quiet();
    expect(received()).toBe(1);
  });

  test('given no mailer for a while, when one comes, then the mail that was requested many times is sent once', async () => {
    w.relay();
    await w.register();
    for (let times = 1; times <= 4; times += 1) {
      await w.until(async () => (await w.jobs('requested'))[0]?.requests === times);
      w.later(MINUTE_MS * 2 ** (times - 1));
    }
    await w.until(async () => (await w.jobs('requested'))[0]?.requests === 5);
    w.mailer();
    await w.until(async () => await hasJob('sent'));
    w.later(DAY_MS / 2);
    await w.quiet();
    expect(received()).toBe(1);
  });

  test('given a process that is held up for over 60 s behind the attempt, then it does not send, and the mail goes out once', async () => {
    const real = w.service.parts.commandPorts.eventStore;
    let attempts = 0;
    const held = {
      ...bound(real),
      append: (async (stream, expected, events) => {
        const result = await real.append(stream, expected, events);
        if (events[0]?.type === 'MailAttempted.v1' && ++attempts === 1) {
          w.later(MINUTE_MS);
          await w.until(async () => await hasJob('parked'));
        }
        return result;
      }) satisfies typeof real.append,
    };
    w.relay();
    w.mailer({ eventStore: held });
    await w.register();
    await w.until(async () => (await w.jobs('waiting'))[0]?.last_error === 'timeout');
    expect([w.mailServer.tries(), received()]).toEqual([0, 0]);
    w.later(MINUTE_MS);
    await w.until(async () => await hasJob('sent'));
    expect(received()).toBe(1);
  });
});

/** The methods of an object that is not plain, so that it can be spread. */
function bound<T extends object>(real: T): T {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(real)).filter((name) => name !== 'constructor');
  const own = Object.keys(real);
  const entries = [...names, ...own].map((name) => {
    const value = Reflect.get(real, name) as unknown;
    return [name, typeof value === 'function' ? value.bind(real) : value];
  });
  return Object.fromEntries(entries) as T;
}
