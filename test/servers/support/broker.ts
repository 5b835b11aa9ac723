import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { kafkaClient, type KafkaOptions } from '#stores/messaging/kafka/client.ts';
import { temporaryFolder } from '../../ports/support/temporary-folder.ts';
import { freePorts } from '../../support/free-port.ts';
import { MonitoredProcess, ServerProcess } from '../../support/monitored-process.ts';
import { waitUntil } from '../../support/wait-until.ts';

const SCRIPT = fileURLToPath(new URL('../../../../shared/servers/kafka', import.meta.url));

/** A Kafka broker for one suite, with its data in a temporary folder. */
export class Broker extends ServerProcess {
  readonly options: KafkaOptions;
  readonly port: number;
  readonly #temporary = temporaryFolder();

  private constructor(port: number) {
    super();
    this.port = port;
    this.options = { brokers: [`127.0.0.1:${port}`] };
  }

  static async start(): Promise<Broker> {
    // The controller listens on the next port.
    const [port = 0] = await freePorts(2);
    return await ServerProcess.started(new Broker(port));
  }

  override async start(): Promise<void> {
    const child = spawn(SCRIPT, [join(this.#temporary.folder, 'data'), String(this.port)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const process = new MonitoredProcess('The broker', child);
    this.process = process;
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

  override async dispose(): Promise<void> {
    await super.dispose();
    this.#temporary.remove();
  }
}
