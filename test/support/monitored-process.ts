import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { waitUntil } from './wait-until.ts';

const MAX_OUTPUT_CHARS = 4_000;

/** Keeps the recent output of a server process, lets waits end when the process exits, and freezes or kills it. */
export class MonitoredProcess {
  readonly #name: string;
  readonly #child: ChildProcess;
  #tail = '';
  #error: Error | undefined;

  /** Starts to read stdout and stderr of the child. */
  constructor(name: string, child: ChildProcess) {
    this.#name = name;
    this.#child = child;
    child.on('error', (error) => (this.#error = error));
    for (const stream of [child.stdout, child.stderr])
      stream
        ?.setEncoding('utf8')
        .on('data', (text: string) => (this.#tail = (this.#tail + text).slice(-MAX_OUTPUT_CHARS)));
  }

  get recentOutput(): string {
    return `${this.#name} printed last:\n${this.#tail}`;
  }

  /**
   * Waits for the first line of output, which reports readiness.
   * @throws {Error} with the recent output when the process exits or on timeout
   */
  async waitForFirstLine(): Promise<void> {
    const { stdout } = this.#child;
    if (stdout === null) throw new Error(`stdout of ${this.#name} is not a pipe`);
    let hasPrinted = false;
    createInterface({ input: stdout }).once('line', () => (hasPrinted = true));
    await waitUntil(
      () => {
        this.expectRunning();
        return hasPrinted;
      },
      () => this.recentOutput,
    );
  }

  /** @throws {Error} with the recent output when the process has exited */
  expectRunning(): void {
    const { exitCode, signalCode } = this.#child;
    const end = this.#error ?? exitCode ?? signalCode;
    if (end !== null) throw new Error(`${this.#name} exited with ${String(end)}\n${this.recentOutput}`);
  }

  freeze(): void {
    this.#child.kill('SIGSTOP');
  }

  thaw(): void {
    this.#child.kill('SIGCONT');
  }

  /** Kills the process and waits until it has exited; does nothing where it never started or has exited. */
  async kill(): Promise<void> {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }
}

/** A server of a suite as a process that can be killed, frozen and started again. */
export abstract class ServerProcess {
  protected process: MonitoredProcess | undefined;

  /**
   * Starts the server, again on the same data, and waits until it responds.
   * @throws {Error} with its recent output on failure
   */
  abstract start(): Promise<void>;

  freeze(): void {
    this.process?.freeze();
  }

  thaw(): void {
    this.process?.thaw();
  }

  async kill(): Promise<void> {
    await this.process?.kill();
  }

  /** Kills the server and removes its data. */
  async dispose(): Promise<void> {
    await this.kill();
  }

  /** Starts the server; disposes it when that fails. */
  protected static async started<S extends ServerProcess>(server: S): Promise<S> {
    try {
      await server.start();
      return server;
    } catch (error) {
      await server.dispose();
      throw error;
    }
  }
}
