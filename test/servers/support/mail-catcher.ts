import { freePort } from '../../support/free-port.ts';
import { type MailServer, parsedMail, type ReceivedMail, startMailServer } from '../../support/mail-server.ts';

/** A mail server that may be stopped and started again, and knows all mails that it has ever taken. */
export class MailCatcher {
  readonly port: number;
  #server: MailServer;
  readonly #earlier: ReceivedMail[] = [];

  private constructor(server: MailServer) {
    this.port = server.port;
    this.#server = server;
  }

  static async start(): Promise<MailCatcher> {
    // Not one that a connection of somebody may take while it is down.
    return new MailCatcher(await startMailServer(await freePort()));
  }

  /** Job id → how often its mail was taken. */
  counts(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { raw } of [...this.#earlier, ...this.#server.received]) {
      const [, jobId = ''] = /^<([^@]+)@/.exec(parsedMail(raw).headers['message-id'] ?? '') ?? [];
      counts.set(jobId, (counts.get(jobId) ?? 0) + 1);
    }
    return counts;
  }

  async kill(): Promise<void> {
    await this.#server.close();
  }

  /** Starts it again, on the same port. */
  async start(): Promise<void> {
    this.#earlier.push(...this.#server.received);
    this.#server = await startMailServer(this.port);
  }
}
