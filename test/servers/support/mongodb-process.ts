import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../ports/support/temporary-folder.ts';
import { freePort } from '../../support/free-port.ts';
import { MonitoredProcess } from '../../support/monitored-process.ts';

const SCRIPT = fileURLToPath(new URL('../../../../shared/servers/mongodb', import.meta.url));

/** A server with the protocol of MongoDB for one suite, with its data in a temporary folder. */
export class MongodbProcess {
  readonly port: number;
  readonly #temporary = temporaryFolder();
  #process: MonitoredProcess | undefined;

  private constructor(port: number) {
    this.port = port;
  }

  static async start(): Promise<MongodbProcess> {
    const server = new MongodbProcess(await freePort());
    try {
      await server.start();
    } catch (error) {
      await server.dispose();
      throw error;
    }
    return server;
  }

  /** Starts the server, again on the same data, and waits until it accepts connections. @throws {Error} with its recent output on failure */
  async start(): Promise<void> {
    const child = spawn(SCRIPT, [join(this.#temporary.folder, 'data'), String(this.port)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = new MonitoredProcess('MongoDB', child);
    await this.#process.waitForFirstLine();
  }

  /** The recent output since the last start. */
  get recentOutput(): string {
    return this.#process?.recentOutput ?? '';
  }

  freeze(): void {
    this.#process?.freeze();
  }

  thaw(): void {
    this.#process?.thaw();
  }

  async kill(): Promise<void> {
    await this.#process?.kill();
  }

  async dispose(): Promise<void> {
    await this.kill();
    this.#temporary.remove();
  }
}
