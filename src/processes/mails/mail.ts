import type { MailRefusalReason } from '#domain/mail-job/mail-job.ts';

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
