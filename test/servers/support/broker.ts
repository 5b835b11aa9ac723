import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { kafkaClient, type KafkaOptions } from '../../../src/messaging/kafka/client.ts';
import { temporaryFolder } from '../../ports/support/temporary-folder.ts';
import { freePorts } from '../../support/free-port.ts';
import { MonitoredProcess } from '../../support/monitored-process.ts';
import { waitUntil } from '../../support/wait-until.ts';

const SCRIPT = fileURLToPath(new URL('../../../../shared/servers/kafka', import.meta.url));

/** A Kafka broker for one suite, with its data in a temporary folder. */
export class Broker {
  readonly options: KafkaOptions;
  readonly port: number;
  readonly #temporary = temporaryFolder();
  #process: MonitoredProcess | undefined;

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
    const child = spawn(SCRIPT, [join(this.#temporary.folder, 'data'), String(this.port)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const process = new MonitoredProcess('The broker', child);
    this.#process = process;
    await waitUntil(
      async () => {
        process.expectRunning();
        return await this.#responds();
      },
      () => process.recentOutput,
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
