import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { startService, stop, untilReady } from './service.ts';
import { compareRates, type Row } from './table.ts';

const SECONDS = 8;
const CONNECTIONS = 32;
const ROUNDS = 3;

/** Measures `GET` of a policy with a merchant's key against a bare `node:http` server that sends the same bytes. */
export async function benchGet(
  folder: string,
  dataFolder: string,
  subject: { readonly path: string; readonly key: string; readonly ports: readonly [number, number] },
): Promise<Row> {
  const [servicePort, barePort] = subject.ports;
  const service = await startService(dataFolder, servicePort);
  const headers = { 'X-API-Key': subject.key };
  const address = service.url + subject.path;
  const response = await fetch(address, { headers });
  if (response.status !== 200) throw new Error(`GET ${subject.path}: ${response.status}`);
  const bytes = join(folder, 'answer.json');
  await writeFile(bytes, await response.text());

  const bare = spawn(process.execPath, [join(import.meta.dirname, 'bare-server.ts'), String(barePort), bytes], {
    stdio: 'inherit',
  });
  const bareAddress = `http://127.0.0.1:${barePort}${subject.path}`;
  await untilReady(bareAddress, bare);
  const what = `GET of one policy with key, ${CONNECTIONS} connections, against bare node:http`;
  const row = await compareRates(what, 'requests/s', { rounds: ROUNDS }, async () => ({
    bare: await requestsPerSecond(bareAddress, headers),
    surety: await requestsPerSecond(address, headers),
  }));
  await stop(bare);
  await service.stop();
  return row;
}

async function requestsPerSecond(url: string, headers: Record<string, string>): Promise<number> {
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: SECONDS });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} other answers, ${result.errors} errors`);
  return result.requests.average;
}
