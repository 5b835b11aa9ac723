import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import type { MailRefusalReason } from '#domain/mail-job/mail-job.ts';
import type { ComposedMail, SendResult, MailTransport } from './mail.ts';
import { withTimeout } from '#stores/shared/timing.ts';

/** Limit for sending one mail, so that an attempt stays below the 60 s of `ATTEMPT_OVER_AFTER_MS`. */
const TIMEOUT_MS = 45_000;
/** How long a process that stops waits for the reply to a message that it has sent. */
const REPLY_AT_STOP_MS = 5_000;
const QUIT_TIMEOUT_MS = 2_000;

interface SmtpOptions {
  /** `smtp://` or `smtps://`, with user and password if the server requires them. */
  readonly url: string;
  readonly timeoutMs?: number;
}

export function smtpTransport({ url, timeoutMs = TIMEOUT_MS }: SmtpOptions): MailTransport {
  const { auth, ...parsed } = parseConnectionUrl(url);
  const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 5_000 };
  const options = { ...limits, ...parsed };
  return {
    send: async (mail, signal) => {
      if (signal.aborted) return { status: 'refused', reason: 'timeout', smtpCode: null };
      return await new SmtpAttempt(mail, new SMTPConnection(options), signal, timeoutMs).run(auth);
    },
  };
}

type Credentials = Parameters<InstanceType<typeof SMTPConnection>['login']>[0] | undefined;

interface SmtpError {
  readonly code?: string | undefined;
  /** The error code of the operating system when `code` is nodemailer's. */
  readonly originalCode?: string | undefined;
  readonly command?: string | undefined;
  readonly responseCode?: number | undefined;
}

class SmtpAttempt {
  readonly #mail: ComposedMail;
  readonly #connection: InstanceType<typeof SMTPConnection>;
  readonly #signal: AbortSignal;
  readonly #timeoutMs: number;
  readonly #ended = Promise.withResolvers<SendResult>();
  #connected = false;
  /** From the first byte of the message on, only the server's reply shows whether it has accepted the mail. */
  #messageStarted = false;

  constructor(
    mail: ComposedMail,
    connection: InstanceType<typeof SMTPConnection>,
    signal: AbortSignal,
    timeoutMs: number,
  ) {
    this.#mail = mail;
    this.#connection = connection;
    this.#signal = signal;
    this.#timeoutMs = timeoutMs;
  }

  async run(auth: Credentials): Promise<SendResult> {
    const connection = this.#connection;
    const timeout = { code: 'ETIMEDOUT' };
    const timer = setTimeout(() => this.#failed(timeout), this.#timeoutMs);
    const timers = [timer];
    const onStop = (): void => {
      timers.push(setTimeout(() => this.#failed(timeout), this.#messageStarted ? REPLY_AT_STOP_MS : 0));
    };
    this.#signal.addEventListener('abort', onStop, { once: true });
    connection.on('error', (error: SmtpError) => this.#failed(error));
    connection.once('end', () => this.#failed({ code: 'ECONNECTION' }));
    connection.connect((error?: SmtpError | null) => {
      if (error) return this.#failed(error);
      this.#connected = true;
      if (auth === undefined) return this.#send();
      connection.login(auth, (refused?: SmtpError | null) => (refused ? this.#failed(refused) : this.#send()));
    });
    const sendResult = await this.#ended.promise;
    for (const running of timers) clearTimeout(running);
    this.#signal.removeEventListener('abort', onStop);
    this.#disconnect(sendResult);
    return sendResult;
  }

  #send(): void {
    const { envelope, raw } = this.#mail;
    const message = new Readable({
      // First read after the server has replied to DATA.
      read: () => {
        this.#messageStarted = true;
        message.push(raw);
        message.push(null);
      },
    });
    this.#connection.send({ ...envelope, size: raw.length }, message, (error?: SmtpError | null) => {
      if (error) this.#failed(error);
      else this.#ended.resolve({ status: 'sent' });
    });
  }

  #failed(error: SmtpError): void {
    const smtpCode = replyCode(error);
    if (!this.#messageStarted) {
      this.#ended.resolve({ status: 'refused', reason: reasonOf(error, this.#connected), smtpCode });
    } else if (error.code === 'EMESSAGE' && smtpCode !== null) {
      this.#ended.resolve({ status: 'refused', reason: 'message_refused', smtpCode });
    } else {
      this.#ended.resolve({ status: 'unknown' });
    }
  }

  #disconnect({ status }: SendResult): void {
    if (status !== 'sent') return this.#connection.close();
    this.#connection.quit();
    setTimeout(() => this.#connection.close(), QUIT_TIMEOUT_MS).unref();
  }
}

function replyCode({ responseCode }: SmtpError): number | null {
  return responseCode !== undefined && responseCode >= 400 && responseCode < 600 ? responseCode : null;
}

/** Error codes of Node for certificates that are not trusted and for failed TLS handshakes. */
const TLS_ERROR = /CERT|TLS|SSL|LEAF_SIGNATURE/;

function reasonOf({ code, originalCode = '', command = '' }: SmtpError, connected: boolean): MailRefusalReason {
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'login_refused';
  if (code === 'ETLS' || TLS_ERROR.test(originalCode)) return 'tls_failed';
  if (code === 'ETIMEDOUT') return connected ? 'timeout' : 'server_unreachable';
  // `API`: nodemailer rejected the address.
  if (command === 'RCPT TO' || (code === 'EENVELOPE' && command === 'API')) return 'recipient_refused';
  if (code === 'EMESSAGE' || command === 'DATA') return 'message_refused';
  if (command === 'MAIL FROM') return 'sender_refused';
  return connected ? 'connection_lost' : 'server_unreachable';
}

const PING_TIMEOUT_MS = 5_000;

/**
 * Resolves when the mail server has sent its greeting and replied to EHLO; does not log in and sends no mail.
 * @param url as in `smtpTransport`
 * @throws {Error} when the server does not reply in time
 */
export async function pingMailServer(url: string, timeoutMs = PING_TIMEOUT_MS): Promise<void> {
  const { auth: _, ...parsed } = parseConnectionUrl(url);
  const limits = {
    connectionTimeout: timeoutMs,
    // Ends before the others, so that it is named.
    greetingTimeout: timeoutMs * 0.6,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
  };
  const connection = new SMTPConnection({ ...limits, ...parsed });
  const answered = Promise.withResolvers<void>();
  const failed = (error?: unknown): void =>
    answered.reject(error ?? new Error('The mail server closed the connection'));
  connection.on('error', failed);
  connection.once('end', () => failed());
  connection.connect((error?: unknown) => (error ? failed(error) : answered.resolve()));
  try {
    await withTimeout(answered.promise, timeoutMs, () => {
      throw new Error('The mail server does not answer');
    });
    connection.quit();
  } catch (error) {
    connection.close();
    throw error;
  }
}
