import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openEventStoreDB } from '../../../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import type { EventStore } from '../../../../src/event-store/event-store.ts';
import { freePort } from '../../../support/free-port.ts';
import { Watched } from '../../../support/until.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

/** The stand-in as a process of its own, which can be frozen and killed. */
export class ServerProcess {
  readonly #folder: string;
  readonly #port: number;
  #process: ChildProcess | undefined;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
  }

  static async start(folder: string): Promise<ServerProcess> {
    const server = new ServerProcess(folder, await freePort());
    try {
      await server.start();
    } catch (error) {
      await server.kill();
      throw error;
    }
    return server;
  }

  get url(): string {
    return `esdb://127.0.0.1:${this.#port}?tls=false`;
  }

  /** Opens the adapter on it, for a test to look at the log. One at a time in a process. Some tests read the whole log on a busy machine. */
  openStore(): EventStore {
    return openEventStoreDB({ url: this.url, readTimeoutMs: 60_000 });
  }

  /** Resolves when the server takes calls. @throws {Error} with its last words when it does not */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [main, this.#folder, String(this.#port)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#process = child;
    await new Watched('The stand-in for EventStoreDB', child).untilFirstLine();
  }

  /** Sends a fault (README.md). */
  order(line: unknown): void {
    this.#process?.stdin?.write(`${JSON.stringify(line)}\n`);
  }

  /** How many calls of each kind were made so far. */
  async calls(): Promise<Readonly<Record<string, number>>> {
    const { stdout } = this.#process ?? {};
    if (!stdout) throw new Error('The stand-in for EventStoreDB does not run');
    const lines = createInterface({ input: stdout });
    const answer = once(lines, 'line');
    this.order({ calls: true });
    const [line] = (await answer) as [string];
    lines.close();
    return JSON.parse(line) as Readonly<Record<string, number>>;
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
}
