import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { kafkaClient, type KafkaOptions } from '../../../src/messaging/kafka/client.ts';
import { temporaryFolder } from '../../ports/support/temporary-folder.ts';
import { freePorts } from '../../support/free-port.ts';
import { until, Watched } from '../../support/until.ts';

const SCRIPT = fileURLToPath(new URL('../../../../shared/servers/kafka', import.meta.url));

/** A broker of a test's own, with its data in a temporary folder. */
export class Broker {
  readonly options: KafkaOptions;
  readonly port: number;
  readonly #place = temporaryFolder();
  #process: ChildProcess | undefined;

  private constructor(port: number) {
    this.port = port;
    this.options = { brokers: [`127.0.0.1:${port}`] };
  }

  static async start(): Promise<Broker> {
    // Its controller listens on the port behind its own.
    const [port = 0] = await freePorts(2);
    const broker = new Broker(port);
    try {
      await broker.start();
    } catch (error) {
      await broker.dispose();
      throw error;
    }
    return broker;
  }

  /** Starts it, again on the same data. Resolves when it answers. @throws {Error} with its last words when it does not */
  async start(): Promise<void> {
    const process = spawn(SCRIPT, [join(this.#place.folder, 'data'), String(this.port)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = process;
    const watched = new Watched('The broker', process);
    await until(
      async () => {
        watched.expectRunning();
        return await this.#answers();
      },
      () => watched.words,
    );
  }

  async #answers(): Promise<boolean> {
    const admin = kafkaClient(this.options).admin({ retry: { retries: 0 } });
    try {
      await admin.connect();
      await admin.describeCluster();
      return true;
    } catch {
      return false;
    } finally {
      await admin.disconnect().catch(() => undefined);
    }
  }

  /** Freezes it (`SIGSTOP`), or thaws it (`SIGCONT`). */
  async signal(signal: NodeJS.Signals): Promise<void> {
    await Promise.resolve();
    this.#process?.kill(signal);
  }

  async kill(): Promise<void> {
    const process = this.#process;
    if (process?.pid === undefined || process.exitCode !== null || process.signalCode !== null) return;
    const ended = Promise.withResolvers<void>();
    process.once('exit', () => ended.resolve());
    process.kill('SIGKILL');
    await ended.promise;
  }

  async dispose(): Promise<void> {
    await this.kill();
    this.#place.remove();
  }
}
