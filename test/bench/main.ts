import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchAppend } from './append.ts';
import { findBook } from './book.ts';
import { benchGet } from './get.ts';
import { benchImport } from './import.ts';
import { benchRebuild } from './rebuild.ts';
import { benchRenew } from './renew.ts';
import { createMerchantIn, readStreamIds } from './service.ts';
import { machine, markdown, rowList } from './table.ts';
import { freePort } from '../support/free-port.ts';

/** Measures Surety against the bare limit of this machine in the same run and prints a Markdown table. */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'surety-bench-'));
  try {
    const data = join(folder, 'data');
    const { environmentId, key } = await createMerchantIn(data);
    const { rows, add } = rowList();
    add(await benchAppend(folder));
    add(await benchImport(folder, data, environmentId, findBook(folder)));
    add(await benchRebuild(folder, join(data, 'events.db')));
    const ports = [await freePort(), await freePort()] as const;
    const [policy] = readStreamIds(data, 'policy').ids;
    add(await benchGet(folder, data, { path: `/api/v1/policies/${policy}/`, key, ports }));
    add(...(await benchRenew(folder, [await freePort(), await freePort()])));
    process.stdout.write(`${markdown(rows)}\n\n${machine()}\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
