import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { benchAppend } from './append.ts';
import { findBook } from './book.ts';
import { benchGet } from './get.ts';
import { benchImport } from './import.ts';
import { benchRebuild } from './rebuild.ts';
import { benchRenew } from './renew.ts';
import { command, startService } from './service.ts';
import { markdown, type Row } from './table.ts';
import { freePort } from '../support/free-port.ts';

/** Measures Surety against the bare limit of this machine in the same run and prints a Markdown table. */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'surety-bench-'));
  try {
    const data = join(folder, 'data');
    const { environment, key } = await setUp(data);
    const rows: Row[] = [];
    const add = (row: Row): void => {
      rows.push(row);
      process.stderr.write(`${row.what}: ${row.surety} / ${row.bare} = ${row.ratio}\n`);
    };
    add(await benchAppend(folder));
    add(await benchImport(folder, data, environment, await findBook(folder)));
    add(await benchRebuild(folder, join(data, 'events.db')));
    const ports = [await freePort(), await freePort()] as const;
    add(await benchGet(folder, data, { path: `/api/v1/policies/${somePolicy(data)}/`, key, ports }));
    for (const row of await benchRenew(folder, [await freePort(), await freePort()])) add(row);
    process.stdout.write(
      `${markdown(rows)}\n\n${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, Node ${process.version}\n`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function setUp(data: string): Promise<{ environment: number; key: string }> {
  const service = await startService(data, await freePort());
  const merchant = await command(service.url, 'RegisterMerchant', {
    name: 'Bench',
    business_email: 'bench@bench.example',
  });
  const place = { short_code: merchant['short_code'], environment_name: 'live', test_mode: false };
  const environment = Number((await command(service.url, 'CreateEnvironment', place))['environment_id']);
  const key = String(
    (await command(service.url, 'IssueApiKey', { environment_id: environment, label: 'load' }))['api_key'],
  );
  await service.stop();
  return { environment, key };
}

function somePolicy(data: string): string {
  const database = new DatabaseSync(join(data, 'events.db'), { readOnly: true });
  const found = database.prepare("SELECT stream FROM events WHERE type = 'PolicyImported.v1' LIMIT 1").get();
  database.close();
  return String(found?.['stream']).slice('policy-'.length);
}

await main();
