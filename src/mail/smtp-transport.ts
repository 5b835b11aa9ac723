import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import type { MailRefusalReason } from '../domain/mail-job/mail-job.ts';
import type { ComposedMail, SendResult, MailTransport } from './mail.ts';

/** Sending one mail takes no longer; with the rest of an attempt it stays below the 60 s of `ATTEMPT_OVER_AFTER_MS`. */
const WITHIN_MS = 45_000;
/** How long a stop waits for the reply to a message that has left already. */
const REPLY_AT_STOP_MS = 5_000;
/** How long the server may take to say good-bye. */
const GOODBYE_MS = 2_000;

export interface SmtpOptions {
  /** `smtp://` or `smtps://`, with user and password where they are needed. */
  readonly url: string;
  readonly withinMs?: number;
}

/** Hands mails to a mail server, each over a connection of its own. */
export function smtpTransport({ url, withinMs = WITHIN_MS }: SmtpOptions): MailTransport {
  const { auth, ...parsed } = parseConnectionUrl(url);
  const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 5_000 };
  const options = { ...limits, ...parsed };
  return {
    send: async (mail, signal) => {
      if (signal.aborted) return { kind: 'refused', reason: 'timeout', smtpCode: null };
      return await new Passage(mail, new SMTPConnection(options), signal, withinMs).run(auth);
    },
  };
}

type Credentials = Parameters<InstanceType<typeof SMTPConnection>['login']>[0] | undefined;

/** The error of nodemailer's SMTP client, as far as it is looked at. */
interface SmtpError {
  readonly code?: string | undefined;
  /** Of the system, where `code` is nodemailer's. */
  readonly originalCode?: string | undefined;
  readonly command?: string | undefined;
  readonly responseCode?: number | undefined;
}

/** One mail on one connection. */
class Passage {
  readonly #mail: ComposedMail;
  readonly #connection: InstanceType<typeof SMTPConnection>;
  readonly #signal: AbortSignal;
  readonly #withinMs: number;
  readonly #ended = Promise.withResolvers<SendResult>();
  #connected = false;
  /** From the first byte of the message on, only the server's reply can tell whether it took it. */
  #left = false;

  constructor(
    mail: ComposedMail,
    connection: InstanceType<typeof SMTPConnection>,
    signal: AbortSignal,
    withinMs: number,
  ) {
    this.#mail = mail;
    this.#connection = connection;
    this.#signal = signal;
    this.#withinMs = withinMs;
  }

  async run(auth: Credentials): Promise<SendResult> {
    const connection = this.#connection;
    const timeout = { code: 'ETIMEDOUT' };
    const timer = setTimeout(() => this.#failed(timeout), this.#withinMs);
    const timers = [timer];
    const onStop = (): void => {
      timers.push(setTimeout(() => this.#failed(timeout), this.#left ? REPLY_AT_STOP_MS : 0));
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
    this.#leave(sendResult);
    return sendResult;
  }

  #send(): void {
    const { envelope, raw } = this.#mail;
    const message = new Readable({
      // Read for the first time when the server has asked for the message.
      read: () => {
        this.#left = true;
        message.push(raw);
        message.push(null);
      },
    });
    this.#connection.send({ ...envelope, size: raw.length }, message, (error?: SmtpError | null) => {
      if (error) this.#failed(error);
      else this.#ended.resolve({ kind: 'sent' });
    });
  }

  #failed(error: SmtpError): void {
    const smtpCode = replyCode(error);
    if (!this.#left) {
      this.#ended.resolve({ kind: 'refused', reason: reasonOf(error, this.#connected), smtpCode });
    } else if (error.code === 'EMESSAGE' && smtpCode !== null) {
      this.#ended.resolve({ kind: 'refused', reason: 'message_refused', smtpCode });
    } else {
      this.#ended.resolve({ kind: 'unknown' });
    }
  }

  #leave({ kind }: SendResult): void {
    if (kind !== 'sent') return this.#connection.close();
    this.#connection.quit();
    setTimeout(() => this.#connection.close(), GOODBYE_MS).unref();
  }
}

/** A negative reply (RFC 5321, 4.2.1); null when the server did not give one. */
function replyCode({ responseCode }: SmtpError): number | null {
  return responseCode !== undefined && responseCode >= 400 && responseCode < 600 ? responseCode : null;
}

/** What Node calls a certificate it does not trust, or a line that cannot be encrypted. */
const OF_TLS = /CERT|TLS|SSL|LEAF_SIGNATURE/;

/** What failed before the message left, by a name that quotes nothing of what the server said. */
function reasonOf({ code, originalCode = '', command = '' }: SmtpError, connected: boolean): MailRefusalReason {
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'login_refused';
  if (code === 'ETLS' || OF_TLS.test(originalCode)) return 'tls_failed';
  if (code === 'ETIMEDOUT') return connected ? 'timeout' : 'server_unreachable';
  // `API`: the address cannot be written into a command.
  if (command === 'RCPT TO' || (code === 'EENVELOPE' && command === 'API')) return 'recipient_refused';
  if (code === 'EMESSAGE' || command === 'DATA') return 'message_refused';
  if (command === 'MAIL FROM') return 'sender_refused';
  return connected ? 'connection_lost' : 'server_unreachable';
}
