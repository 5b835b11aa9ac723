import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../ports/support/temporary-folder.ts';
import { freePort } from '../../support/free-port.ts';
import { Watched } from '../../support/until.ts';

const SCRIPT = fileURLToPath(new URL('../../../../shared/servers/mongodb', import.meta.url));

/** A server of a test's own that speaks the protocol of MongoDB, with its data in a temporary folder. */
export class MongodbProcess {
  readonly port: number;
  readonly #place = temporaryFolder();
  #process: ChildProcess | undefined;
  #watched: Watched | undefined;

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

  /** Starts it, again on the same data. Resolves when it takes connections. @throws {Error} with its last words when it does not */
  async start(): Promise<void> {
    const child = spawn(SCRIPT, [join(this.#place.folder, 'data'), String(this.port)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = child;
    this.#watched = new Watched('MongoDB', child);
    await this.#watched.untilFirstLine();
  }

  /** What it has said of late, since it was started last. */
  get words(): string {
    return this.#watched?.words ?? '';
  }

  freeze(): void {
    this.#process?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#process?.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    const child = this.#process;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  async dispose(): Promise<void> {
    await this.kill();
    this.#place.remove();
  }
}
