import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import { withTimeout } from '#stores/shared/timing.ts';

const TIMEOUT_MS = 5_000;

/**
 * Resolves when the mail server has sent its greeting and replied to EHLO; does not log in and sends no mail.
 * @param url as in `smtpTransport`
 * @throws {Error} when the server does not reply in time
 */
export async function pingMailServer(url: string, timeoutMs = TIMEOUT_MS): Promise<void> {
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
