/**
 * Reads the feed of public events from its beginning, and waits for events: `node test/bench/feed.ts [policies]`
 * (default 100000), on the embedded stores in a temporary folder. Run by hand; no test depends on the times.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../support/free-port.ts';
import { describeWalk, getFeed, walkFeed } from './feed-walk.ts';
import { ADMIN_KEY, command, createMerchant, type Merchant, runSurety, startService } from './service.ts';
import { median, percentile99 } from './table.ts';

const POLICIES = Number(process.argv[2] ?? 100_000);
const POLLS = 300;

const folder = mkdtempSync(join(tmpdir(), 'surety-feed-'));
const dataFolder = join(folder, 'data');

function writeBook(rows: number): string {
  const file = join(folder, 'book.csv');
  const year = new Date().getUTCFullYear();
  const lines = Array.from(
    { length: rows },
    (_, row) => `P-${row},Motor,C-${row},Holder ${row},h${row}@customers.example,${year}-01-01,${year}-12-31,365.00`,
  );
  const heading =
    'policy_number,product_name,customer_reference,customer_name,customer_email,term_from,term_through,premium';
  writeFileSync(file, [heading, ...lines, ''].join('\n'));
  return file;
}

/** Reports the time from the response to a command to that to a poll that waits for its event. */
async function measurePolls(url: string, { key }: Merchant, policyId: string): Promise<void> {
  const times: number[] = [];
  for (let index = 0; index < POLLS; index++) {
    const { headers } = await getFeed(`${url}/api/v1/events/?limit=1`, key);
    const after = headers.get('surety-position');
    let heardAt = 0;
    const poll = getFeed(`${url}/api/v1/events/?after=${after}&timeout=10000`, key).then(
      () => (heardAt = performance.now()),
    );
    await pause(3);
    const body = JSON.stringify({ auto_renew: index % 2 === 0 });
    const response = await fetch(`${url}/api/v1/policies/${policyId}/auto_renew/`, {
      method: 'POST',
      body,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
    });
    const answeredAt = performance.now();
    if (!response.ok) throw new Error(await response.text());
    await poll;
    times.push(Math.max(0, heardAt - answeredAt));
  }
  process.stdout.write(
    `a poll hears an event p50 ${median(times).toFixed(1)} ms, p99 ${percentile99(times).toFixed(1)} ms after the response to the command\n`,
  );
}

/** Reports a page at the end of a feed, where there is nothing. */
async function measureEmpty(what: string, url: string, key: string): Promise<void> {
  const { headers } = await getFeed(`${url}/api/v1/events/?limit=1`, key);
  const times: number[] = [];
  for (let index = 0; index < POLLS; index++) {
    const begin = performance.now();
    await getFeed(`${url}/api/v1/events/?after=${headers.get('surety-position')}`, key);
    times.push(performance.now() - begin);
  }
  process.stdout.write(`${what}: p50 ${median(times).toFixed(2)} ms, p99 ${percentile99(times).toFixed(1)} ms\n`);
}

try {
  const before = await startService(dataFolder, await freePort(), { LOG_LEVEL: 'warn' });
  const merchant = await createMerchant(before.url);
  const quiet = await command(before.url, 'CreateEnvironment', {
    short_code: merchant.shortCode,
    environment_name: 'quiet',
    test_mode: true,
  });
  const { api_key } = await command(before.url, 'IssueApiKey', { environment_id: quiet['environment_id'], label: 'q' });
  await before.stop();
  const options = ['--environment', String(merchant.environmentId), '--provider', 'Insurer', '--refused', folder];
  await runSurety(dataFolder, ['import', '--json', ...options, writeBook(POLICIES)]);
  const service = await startService(dataFolder, await freePort(), { LOG_LEVEL: 'warn' });
  try {
    for (let round = 0; round < 2; round++) {
      for (const [what, key] of [
        ['a merchant', merchant.key],
        ['the platform', ADMIN_KEY],
      ] as const)
        process.stdout.write(`${what}: ${describeWalk(await walkFeed(service.url, key))}\n`);
    }
    await measureEmpty('a page at the end of the feed', service.url, merchant.key);
    await measureEmpty('a page of a quiet mode', service.url, String(api_key));
    const { text } = await getFeed(`${service.url}/api/v1/policies/P-0/`, merchant.key);
    await measurePolls(service.url, merchant, (JSON.parse(text) as { policy_id: string }).policy_id);
  } finally {
    await service.stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
