import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { kafkaClient, type KafkaOptions } from '../../../src/messaging/kafka/client.ts';
import { temporaryFolder } from '../../ports/support/temporary-folder.ts';
import { freePorts } from '../../support/free-port.ts';
import { waitUntil, MonitoredProcess } from '../../support/wait-until.ts';

const SCRIPT = fileURLToPath(new URL('../../../../shared/servers/kafka', import.meta.url));

/** A Kafka broker for one suite, with its data in a temporary folder. */
export class Broker {
  readonly options: KafkaOptions;
  readonly port: number;
  readonly #temporary = temporaryFolder();
  #process: ChildProcess | undefined;

  private constructor(port: number) {
    this.port = port;
    this.options = { brokers: [`127.0.0.1:${port}`] };
  }

  static async start(): Promise<Broker> {
    // The controller listens on the next port.
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

  /** Starts the broker, again on the same data, and waits until it responds. @throws {Error} with its recent output on failure */
  async start(): Promise<void> {
    const process = spawn(SCRIPT, [join(this.#temporary.folder, 'data'), String(this.port)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = process;
    const monitored = new MonitoredProcess('The broker', process);
    await waitUntil(
      async () => {
        monitored.expectRunning();
        return await this.#responds();
      },
      () => monitored.recentOutput,
    );
  }

  async #responds(): Promise<boolean> {
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

  /** Freezes (`SIGSTOP`) or thaws (`SIGCONT`) the broker. */
  async signal(signal: NodeJS.Signals): Promise<void> {
    await Promise.resolve();
    this.#process?.kill(signal);
  }

  async kill(): Promise<void> {
    const process = this.#process;
    if (process?.pid === undefined || process.exitCode !== null || process.signalCode !== null) return;
    const exited = Promise.withResolvers<void>();
    process.once('exit', () => exited.resolve());
    process.kill('SIGKILL');
    await exited.promise;
  }

  async dispose(): Promise<void> {
    await this.kill();
    this.#temporary.remove();
  }
}
