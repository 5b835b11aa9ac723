import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { parseConnectionUrl } from 'nodemailer/lib/shared';

/** How long the server may take for its greeting and for what it can do. */
const WITHIN_MS = 5_000;

/**
 * Resolves when the mail server has greeted and answered, as it would before a mail; nobody logs in, and no mail is sent.
 * @param url as in `smtpTransport`
 * @throws {Error} when it does not within the time (5 s unless told)
 */
export async function pingMailServer(url: string, withinMs = WITHIN_MS): Promise<void> {
  const { auth: _, ...parsed } = parseConnectionUrl(url);
  const limits = {
    connectionTimeout: withinMs,
    greetingTimeout: withinMs,
    socketTimeout: withinMs,
    dnsTimeout: withinMs,
  };
  const connection = new SMTPConnection({ ...limits, ...parsed });
  const answered = Promise.withResolvers<void>();
  const failed = (error?: unknown): void => answered.reject(error ?? new Error('The mail server has hung up'));
  connection.on('error', failed);
  connection.once('end', () => failed());
  connection.connect((error?: unknown) => (error ? failed(error) : answered.resolve()));
  const timer = setTimeout(() => failed(new Error('The mail server does not answer')), withinMs);
  try {
    await answered.promise;
    connection.quit();
  } catch (error) {
    connection.close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
