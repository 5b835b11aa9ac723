import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openEventStoreDB } from '#stores/event-log/eventstoredb/eventstoredb-event-store.ts';
import type { EventStore } from '#stores/event-log/event-log.ts';
import { freePort } from '#test/support/free-port.ts';
import { MonitoredProcess, ServerProcess } from '#test/support/monitored-process.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

/** The stand-in as a separate process, which can be frozen and killed. */
export class StandInProcess extends ServerProcess {
  readonly #folder: string;
  readonly #port: number;
  #child: ChildProcess | undefined;

  private constructor(folder: string, port: number) {
    super();
    this.#folder = folder;
    this.#port = port;
  }

  static async start(folder: string): Promise<StandInProcess> {
    return await ServerProcess.started(new StandInProcess(folder, await freePort()));
  }

  get url(): string {
    return `esdb://127.0.0.1:${this.#port}?tls=false`;
  }

  /**
   * Opens the adapter, one at a time per process. The limit is high because some tests read the whole log on a busy
   * machine.
   */
  openStore(): EventStore {
    return openEventStoreDB({ url: this.url, readTimeoutMs: 60_000 });
  }

  override async start(): Promise<void> {
    const child = spawn(process.execPath, [main, this.#folder, String(this.#port)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#child = child;
    this.process = new MonitoredProcess('The stand-in for EventStoreDB', child);
    await this.process.waitForFirstLine();
  }

  /** Sends a control message, for example a fault (see README.md). */
  send(message: unknown): void {
    this.#child?.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  /** Returns the number of calls of each kind. */
  async calls(): Promise<Readonly<Record<string, number>>> {
    const { stdout } = this.#child ?? {};
    if (!stdout) throw new Error('The stand-in for EventStoreDB is not running');
    const lines = createInterface({ input: stdout });
    const response = once(lines, 'line');
    this.send({ calls: true });
    const [line] = (await response) as [string];
    lines.close();
    return JSON.parse(line) as Readonly<Record<string, number>>;
  }
}
