import type { MailRefusalReason } from '../domain/mail-job/mail-job.ts';

/** What a mail says. */
export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A mail in the form in which it leaves (RFC 5322), and whom the envelope names. */
export interface ComposedMail {
  readonly jobId: string;
  readonly envelope: { readonly from: string; readonly to: string };
  readonly raw: Uint8Array;
}

/** The result of sending a mail. */
export type SendResult =
  | { readonly kind: 'sent' }
  /** It is certain that it was not taken. `smtpCode`: the server's reply; null when there was none. */
  | { readonly kind: 'refused'; readonly reason: MailRefusalReason; readonly smtpCode: number | null }
  /** The message had left, and nobody said whether it was taken. */
  | { readonly kind: 'unknown' };

/** Where mails go. */
export interface MailTransport {
  /**
   * Sends one mail, within 60 s in all. Never throws: what is not known to have failed is `unknown`.
   * @param signal the process is stopping: what has not begun to leave is not begun any more
   */
  send(mail: ComposedMail, signal: AbortSignal): Promise<SendResult>;
}
