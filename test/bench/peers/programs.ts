import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.ts';
import { startService, stop, untilReady } from '../service.ts';

/** A program of the comparison while it runs. */
export interface Program {
  readonly name: string;
  readonly url: string;
  readonly takesKeys: boolean;
  stop(): Promise<void>;
}

/** What every program is started with. */
export interface Setting {
  /** For files of the program. */
  readonly folder: string;
  /** The data folder of Surety, which has the policies already. */
  readonly data: string;
  readonly seedFile: string;
  readonly key: string;
}

export async function startSurety({ data }: Setting): Promise<Program> {
  const { url, stop: stopService } = await startService(data, await freePort(), { LOG_LEVEL: 'warn' });
  return { name: 'Surety', url, takesKeys: true, stop: stopService };
}

export async function startExpress(setting: Setting): Promise<Program> {
  const server = join(import.meta.dirname, 'express-sqlite-server.ts');
  return await startServer('Express and SQLite', server, setting, true);
}

export async function startNodeHttp(setting: Setting): Promise<Program> {
  const server = join(import.meta.dirname, 'node-http-server.ts');
  return await startServer('bare node:http and SQLite', server, setting, true);
}

/** Installs emmett into a folder of its own and starts it. @throws {Error} when npm cannot install it */
export async function startEmmett(setting: Setting): Promise<Program> {
  const place = join(setting.folder, 'emmett');
  cpSync(join(import.meta.dirname, 'emmett'), place, { recursive: true });
  // `npm run` hands down the project's ignore-scripts; the driver of emmett needs its script.
  const words = ['install', '--no-package-lock', '--ignore-scripts=false'];
  const installed = spawnSync('npm', words, { cwd: place, encoding: 'utf8' });
  if (installed.status !== 0) throw new Error(`npm cannot install emmett: ${installed.stderr}`);
  return await startServer('emmett and SQLite', join(place, 'server.mjs'), setting, false);
}

async function startServer(name: string, file: string, setting: Setting, takesKeys: boolean): Promise<Program> {
  const folder = join(setting.folder, `data of ${name}`.replaceAll(/\W+/g, '-'));
  mkdirSync(folder);
  const port = await freePort();
  const server = spawn(process.execPath, [file, String(port), folder, setting.seedFile, setting.key], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const url = `http://127.0.0.1:${port}`;
  await untilReady(`${url}/livez`, server);
  return { name, url, takesKeys, stop: async () => await stop(server) };
}
