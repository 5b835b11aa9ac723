/**
 * Measures portfolios of a data folder, and `GET` of a policy while they run:
 * `node test/bench/portfolio.ts FOLDER DAY…`. No other process may use the folder. Run by hand; no test depends on the
 * times.
 */
import { freePort } from '../support/free-port.ts';
import { ADMIN_KEY, startService } from './service.ts';
import { describeCost, measureBeside } from './steady-gets.ts';

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

for (const day of days) {
  for (const group of GROUPS) {
    const cost = await describeCost(service, async () => await get(portfolioOf(day, group)));
    process.stdout.write(`${day} ${group === '' ? 'in one row' : `by ${group}`}: ${cost}\n`);
  }
}
const portfolio = portfolioOf(days[0] ?? '2004-06-30', '');
const portfolios = await measureBeside(service, 'portfolios', async () => await get(portfolio));
process.stdout.write(`${portfolios} portfolios meanwhile\n`);
await service.stop();
