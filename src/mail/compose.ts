import MailComposer from 'nodemailer/lib/mail-composer';
import type { Moment } from '../event-sourcing/time.ts';
import type { ComposedMail, MailContent } from './mail.ts';

/** A name and an address; the name may be any text. */
export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

/** `Surety <no-reply@surety.example>`, or an address alone (`decisions`: Running, MAIL_FROM). */
export function parseMailAddress(text: string): MailAddress {
  const parts = /^([^<>]*)<([^<>\s]+)>$/.exec(text);
  return parts === null
    ? { name: '', address: text }
    : { name: (parts[1] ?? '').trim().replace(/^"(.*)"$/, '$1'), address: parts[2] ?? '' };
}

export interface Letter extends MailContent {
  /** Becomes the Message-ID, so that a receiver that gets the mail twice can tell. */
  readonly jobId: string;
  readonly from: MailAddress;
  readonly to: MailAddress;
  /** Where answers go; undefined: to `from`. */
  readonly replyTo: string | undefined;
  readonly date: Moment;
}

/** Text and HTML as one message. Names are encoded, so none can add a header or a receiver. */
export async function composeMail(letter: Letter): Promise<ComposedMail> {
  const { jobId, from, replyTo, date, subject, text, html } = letter;
  const to = { ...letter.to, name: oneLine(letter.to.name) };
  const composer = new MailComposer({
    from,
    to,
    ...(replyTo === undefined ? {} : { replyTo }),
    subject: oneLine(subject),
    text,
    html,
    date: new Date(date),
    messageId: `<${jobId}@${from.address.split('@').at(-1) ?? 'localhost'}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const raw = await composer.compile().build();
  return { jobId, envelope: { from: from.address, to: to.address }, raw };
}

/** What is no letter of one line becomes a space. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}
