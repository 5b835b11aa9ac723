import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { kafkaClient, type KafkaOptions } from '../../../src/messaging/kafka/client.ts';
import { temporaryFolder } from '../../ports/support/temporary-folder.ts';

const SCRIPT = fileURLToPath(new URL('../../../../shared/servers/kafka', import.meta.url));

/** Whether a broker can be started that a test may kill. */
export const canStartBroker = existsSync(SCRIPT);

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
    const broker = new Broker(await freePorts());
    await broker.start();
    return broker;
  }

  /** Starts it, again on the same data. Resolves when it answers. */
  async start(): Promise<void> {
    this.#process = spawn(SCRIPT, [join(this.#place.folder, 'data'), String(this.port)], { stdio: 'ignore' });
    for (;;) {
      const admin = kafkaClient(this.options).admin({ retry: { retries: 0 } });
      try {
        await admin.connect();
        await admin.describeCluster();
        return;
      } catch {
        await pause(200);
      } finally {
        await admin.disconnect().catch(() => undefined);
      }
    }
  }

  /** Freezes it (`SIGSTOP`), or thaws it (`SIGCONT`). */
  async signal(signal: NodeJS.Signals): Promise<void> {
    await Promise.resolve();
    this.#process?.kill(signal);
  }

  async kill(): Promise<void> {
    const process = this.#process;
    if (process === undefined || process.exitCode !== null || process.signalCode !== null) return;
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

/** A port that is free together with the one behind it. */
async function freePorts(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (!(await answers(port + 1))) return port;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', () => listening.resolve());
  await listening.promise;
  const address = server.address();
  const closed = Promise.withResolvers<void>();
  server.close(() => closed.resolve());
  await closed.promise;
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function answers(port: number): Promise<boolean> {
  const result = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1');
  socket.once('connect', () => result.resolve(true));
  socket.once('error', () => result.resolve(false));
  const answered = await result.promise;
  socket.destroy();
  return answered;
}
