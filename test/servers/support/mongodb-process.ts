import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../ports/support/temporary-folder.ts';
import { freePort } from '../../support/free-port.ts';
import { MonitoredProcess, ServerProcess } from '../../support/monitored-process.ts';

const SCRIPT = fileURLToPath(new URL('../../../../shared/servers/mongodb', import.meta.url));

/** A server with the protocol of MongoDB for one suite, with its data in a temporary folder. */
export class MongodbProcess extends ServerProcess {
  readonly port: number;
  readonly #temporary = temporaryFolder();

  private constructor(port: number) {
    super();
    this.port = port;
  }

  static async start(): Promise<MongodbProcess> {
    return await ServerProcess.started(new MongodbProcess(await freePort()));
  }

  override async start(): Promise<void> {
    const child = spawn(SCRIPT, [join(this.#temporary.folder, 'data'), String(this.port)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.process = new MonitoredProcess('MongoDB', child);
    await this.process.waitForFirstLine();
  }

  override async dispose(): Promise<void> {
    await super.dispose();
    this.#temporary.remove();
  }
}
