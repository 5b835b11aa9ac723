import { freePort } from '../../support/free-port.ts';
import { type MailServer, parseMail, type ReceivedMail, startMailServer } from '../../support/mail-server.ts';

/** A mail server that can be stopped and restarted and keeps all mails. */
export class MailCatcher {
  readonly port: number;
  #server: MailServer;
  readonly #earlier: ReceivedMail[] = [];

  private constructor(server: MailServer) {
    this.port = server.port;
    this.#server = server;
  }

  static async start(): Promise<MailCatcher> {
    // Not an ephemeral port: an outgoing connection could take it while the server is down.
    return new MailCatcher(await startMailServer(await freePort()));
  }

  /** Returns the number of delivered mails by job id. */
  counts(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { raw } of [...this.#earlier, ...this.#server.received]) {
      const [, jobId = ''] = /^<([^@]+)@/.exec(parseMail(raw).headers['message-id'] ?? '') ?? [];
      counts.set(jobId, (counts.get(jobId) ?? 0) + 1);
    }
    return counts;
  }

  async kill(): Promise<void> {
    await this.#server.close();
  }

  /** Restarts the server on the same port. */
  async start(): Promise<void> {
    this.#earlier.push(...this.#server.received);
    this.#server = await startMailServer(this.port);
  }
}
