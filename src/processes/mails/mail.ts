import type { MailRefusalReason } from '#domain/mail-job/mail-job.ts';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { Instant } from '#event-sourcing/time.ts';

export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface ComposedMail {
  readonly jobId: string;
  readonly envelope: { readonly from: string; readonly to: string };
  readonly raw: Uint8Array;
}

export type SendResult =
  | { readonly status: 'sent' }
  /** The server has not accepted the mail. `smtpCode`: its reply; null when there was none. */
  | { readonly status: 'refused'; readonly reason: MailRefusalReason; readonly smtpCode: number | null }
  /** The message was sent, but the server did not reply. */
  | { readonly status: 'unknown' };

export interface MailTransport {
  /**
   * Sends one mail within 60 s. Never throws; the result is `unknown` unless it is certain.
   * @param signal aborts a mail whose message has not been sent yet
   */
  send(mail: ComposedMail, signal: AbortSignal): Promise<SendResult>;
}

export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

/** Parses `Surety <no-reply@surety.example>` or an address alone, as in the setting MAIL_FROM. */
export function parseMailAddress(text: string): MailAddress {
  const parts = /^([^<>]*)<([^<>\s]+)>$/.exec(text);
  return parts === null
    ? { name: '', address: text }
    : { name: (parts[1] ?? '').trim().replace(/^"(.*)"$/, '$1'), address: parts[2] ?? '' };
}

interface Message extends MailContent {
  /** Becomes the Message-ID, by which a recipient recognises a mail that arrives twice. */
  readonly jobId: string;
  readonly from: MailAddress;
  readonly to: MailAddress;
  readonly replyTo: string | undefined;
  readonly date: Instant;
}

/** Composes text and HTML into one message. Names are encoded, so they cannot add a header or a recipient. */
export async function composeMail(message: Message): Promise<ComposedMail> {
  const { jobId, from, replyTo, date, subject, text, html } = message;
  const to = { ...message.to, name: oneLine(message.to.name) };
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

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}
