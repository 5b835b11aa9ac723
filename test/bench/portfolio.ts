/**
 * Measures portfolios of a data folder, and `GET` of a policy while they run: `node test/bench/portfolio.ts FOLDER DAY…`. No other
 * process may use the folder. Run by hand; no test depends on the times.
 */
import { performance } from 'node:perf_hooks';
import { freePort } from '../support/free-port.ts';
import { ADMIN_KEY, peakOf, startService } from './service.ts';
import { measureGets, resetPeak } from './steady-gets.ts';

const GROUPS = ['', 'product_type', 'provider', 'merchant'];

const [folder = './data', ...days] = process.argv.slice(2);
const headers = { 'x-api-key': ADMIN_KEY };
const service = await startService(folder, await freePort());

async function get(path: string): Promise<string> {
  const response = await fetch(service.url + path, { headers });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return await response.text();
}

const portfolioOf = (day: string, group: string): string =>
  `/api/v1/audit/portfolio/?as_of=${day}${group === '' ? '' : `&group_by=${group}`}`;

async function measurePortfolios(): Promise<void> {
  for (const day of days) {
    for (const group of GROUPS) {
      resetPeak(service);
      const before = peakOf(service.pid);
      const start = performance.now();
      await get(portfolioOf(day, group));
      const seconds = ((performance.now() - start) / 1_000).toFixed(1);
      const what = group === '' ? 'in one row' : `by ${group}`;
      process.stdout.write(
        `${day} ${what}: ${seconds} s, ${before.toFixed(0)} → ${peakOf(service.pid).toFixed(0)} MiB\n`,
      );
    }
  }
}

await measurePortfolios();
const { results } = JSON.parse(await get('/api/v1/policies/?limit=1')) as { results: { policy_id: string }[] };
const policy = `/api/v1/policies/${results[0]?.policy_id}/`;
await measureGets(service, policy, 'alone');
const measurement = new AbortController();
let portfolios = 0;
const measured = measureGets(service, policy, 'while portfolios run one after the other').finally(() =>
  measurement.abort(),
);
while (!measurement.signal.aborted) {
  await get(portfolioOf(days[0] ?? '2004-06-30', ''));
  portfolios += 1;
}
await measured;
process.stdout.write(`${portfolios} portfolios meanwhile\n`);
await measureGets(service, policy, 'alone again');
await service.stop();
