import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { temporaryFolder } from '#test/ports/support/temporary-folder.ts';
import { parseMail } from '#test/support/mail-server.ts';
import { composeMail, parseMailAddress } from './mail.ts';
import { onboardingMessage, verificationMessage } from './messages.ts';
import { outboxTransport } from './outbox-transport.ts';

const DATE = '2026-03-10T09:30:00.000Z';
const LETTER = {
  jobId: 'c0ffee00-0000-4000-8000-000000000001',
  from: parseMailAddress('Surety <no-reply@surety.example>'),
  to: { name: 'Acme', address: 'office@acme.example' },
  replyTo: undefined,
  date: DATE,
  subject: 'Hello',
  text: 'text',
  html: '<p>html</p>',
};

describe('a composed mail', () => {
  test.each([
    'Acme\r\nBcc: victim@other.example',
    'Acme\nSubject: other',
    '"Acme" <victim@other.example>, "Rest',
    'Acme, victim@other.example',
    'Å\u2028Bcc: victim@other.example',
  ])('gets no header or recipient from the name %j', async (name) => {
    const { raw, envelope } = await composeMail({ ...LETTER, to: { ...LETTER.to, name } });
    const { headers } = parseMail(Buffer.from(raw).toString('utf8'));
    expect(envelope).toEqual({ from: 'no-reply@surety.example', to: 'office@acme.example' });
    expect(Object.keys(headers).sort()).toEqual(
      ['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'].sort(),
    );
    expect(headers['subject']).toBe('Hello');
    expect(headers['to']).toMatch(/<office@acme\.example>$/);
  });

  test('has the job id at the domain of the sender as Message-ID', async () => {
    const { raw } = await composeMail(LETTER);
    expect(parseMail(Buffer.from(raw).toString('utf8')).headers['message-id']).toBe(`<${LETTER.jobId}@surety.example>`);
  });

  test.each([
    ['Surety <a@b.example>', { name: 'Surety', address: 'a@b.example' }],
    ['"Surety Ltd" <a@b.example>', { name: 'Surety Ltd', address: 'a@b.example' }],
    ['a@b.example', { name: '', address: 'a@b.example' }],
  ])('parses the sender %j', (text, parts) => {
    expect(parseMailAddress(text)).toEqual(parts);
  });
});

describe('messages', () => {
  const context = { origin: 'https://surety.example/base', supportEmail: undefined };

  test('name a contact also without a support address', () => {
    const details = { name: 'A', shortCode: 'ACM-1A2B', token: 't', expiresAt: DATE, tenantId: 'T' };
    for (const { text } of [verificationMessage(details, context), onboardingMessage(details, context)]) {
      expect(text).toContain('contact the support of Surety');
    }
  });

  test('escape a name in the HTML', () => {
    const details = { name: '<img src=x onerror=alert(1)>', shortCode: 'ACM-1A2B', token: '"><b>', expiresAt: DATE };
    const { html } = verificationMessage(details, context);
    expect(html).not.toContain('<img');
    expect(html).toContain('href="https://surety.example/base/onboarding/verify/ACM-1A2B?token=%22%3E%3Cb%3E"');
  });
});

describe('the outbox', () => {
  let place: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    place = temporaryFolder();
  });
  afterEach(() => place.remove());

  const running = new AbortController().signal;

  test('writes a mail as one complete file, named by time and job and readable only by the owner', async () => {
    const folder = join(place.folder, 'outbox');
    const mail = await composeMail(LETTER);
    expect(await outboxTransport({ folder, now: () => DATE }).send(mail, running)).toEqual({ status: 'sent' });
    expect(readdirSync(folder)).toEqual([`20260310T093000000Z-${LETTER.jobId}.eml`]);
    const file = join(folder, readdirSync(folder)[0] ?? '');
    expect(readFileSync(file)).toEqual(Buffer.from(mail.raw));
    expect([statSync(file).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  test('refuses a mail when the folder cannot be created', async () => {
    writeFileSync(join(place.folder, 'file'), '');
    const transport = outboxTransport({ folder: join(place.folder, 'file', 'outbox'), now: () => DATE });
    const refused = { status: 'refused', reason: 'not_written', smtpCode: null };
    expect(await transport.send(await composeMail(LETTER), running)).toEqual(refused);
  });
});
