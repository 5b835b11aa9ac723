/**
 * Walks the policies of one merchant by cursor while others are bought: `node test/bench/walk.ts [policies]` (default
 * 100000), on the embedded stores in a temporary folder. Checks that each of the first comes exactly once. Run by hand;
 * no test depends on the times.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { freePort } from '../support/free-port.ts';
import { QUOTE_REQUEST, sellProducts } from './quotes.ts';
import { ADMIN_KEY, createMerchant, readStreamIds, runSurety, type Service, startService } from './service.ts';
import { median, percentile99 } from './table.ts';

const POLICIES = Number(process.argv[2] ?? 100_000);
const LIMIT = 100;
/** First and last pages whose times are reported. */
const PAGES = 50;
const BUYERS = 4;
const TODAY = new Date().toISOString().slice(0, 10);
const day = (offset: number): string => new Date(Date.parse(TODAY) + offset * 86_400_000).toISOString().slice(0, 10);

const folder = mkdtempSync(join(tmpdir(), 'surety-walk-'));
const dataFolder = join(folder, 'data');

interface Answer {
  readonly next: string | null;
  readonly results: readonly { readonly policy_id: string }[];
}

interface Walk {
  readonly ids: readonly string[];
  readonly milliseconds: readonly number[];
}

/** Two policies a customer; one in a thousand is of another type. */
function writeBook(name: string, rows: number): string {
  const file = join(folder, `${name}.csv`);
  const lines = Array.from({ length: rows }, (_, row) => {
    const customer = Math.floor(row / 2);
    return `${name}-${row},${name},C-${customer},Holder ${customer},${name}-${customer}@customers.example,${day(-200)},${day(164)},365.00`;
  });
  const heading =
    'policy_number,product_name,customer_reference,customer_name,customer_email,term_from,term_through,premium';
  writeFileSync(file, [heading, ...lines, ''].join('\n'));
  return file;
}

async function importBook(environment: number, type: string, rows: number): Promise<void> {
  const options = [
    '--environment',
    String(environment),
    '--provider',
    'Insurer',
    '--refused',
    folder,
    '--product-type',
    type,
  ];
  await runSurety(dataFolder, ['import', '--json', ...options, writeBook(type, rows)]);
}

async function getPage(url: string, key: string): Promise<Answer> {
  const response = await fetch(url, { headers: { 'x-api-key': key } });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

async function walk(url: string, key: string): Promise<Walk> {
  const ids: string[] = [];
  const milliseconds: number[] = [];
  for (let next: string | null = url; next !== null; ) {
    const start = performance.now();
    const page: Answer = await getPage(next, key);
    milliseconds.push(performance.now() - start);
    ids.push(...page.results.map(({ policy_id }) => policy_id));
    next = page.next;
  }
  return { ids, milliseconds };
}

/** Buys one policy after the other until it is stopped; returns how many. */
async function buy(url: string, key: string, isStopped: () => boolean): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-api-key': key };
  const post = async (path: string, body: object): Promise<never> => {
    const response = await fetch(`${url}/api/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as never;
  };
  let bought = 0;
  while (!isStopped()) {
    const { results }: { results: { quote_code: string }[][] } = await post('quotes', QUOTE_REQUEST);
    for (const { quote_code } of results[0] ?? []) await post('policies', { quote_code });
    bought += results[0]?.length ?? 0;
  }
  return bought;
}

function report(what: string, times: readonly number[]): void {
  const sum = times.reduce((total, time) => total + time, 0);
  const p99 = percentile99(times);
  const rate = `${((times.length * 1_000) / sum).toFixed(0)} pages/s, p50 ${median(times).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
  process.stdout.write(`${what}: ${times.length} pages of at most ${LIMIT}, ${rate}\n`);
}

function reportWalk(what: string, { milliseconds }: Walk): void {
  report(what, milliseconds);
  report('  its first', milliseconds.slice(0, PAGES));
  report('  its last', milliseconds.slice(-PAGES));
}

async function measure(service: Service, shortCode: string, key: string): Promise<void> {
  const list = `${service.url}/api/v1/merchants/${shortCode}/policies/?limit=${LIMIT}`;
  reportWalk('alone', await walk(list, key));
  let isStopped = false;
  const start = performance.now();
  const buyers = Array.from({ length: BUYERS }, async () => await buy(service.url, key, () => isStopped));
  const walked = await walk(list, key);
  isStopped = true;
  const bought = (await Promise.all(buyers)).reduce((sum, count) => sum + count, 0);
  const seconds = (performance.now() - start) / 1_000;
  reportWalk(`while ${bought} policies were bought (${(bought / seconds).toFixed(0)} a second)`, walked);

  const first = new Set(readStreamIds(dataFolder, 'policy').ids);
  const found = walked.ids.filter((id) => first.has(id));
  const isWhole = found.length === first.size && new Set(found).size === first.size;
  process.stdout.write(`of ${first.size} first policies ${found.length} came, ${new Set(found).size} different ones\n`);
  if (!isWhole) throw new Error('a policy is missing or came twice');

  for (const filter of ['product_type=Gadget', 'status=cancelled', `in_force_on=${TODAY}`, 'in_force_on=1999-01-01']) {
    const { ids, milliseconds } = await walk(`${list}&${filter}`, key);
    report(`${ids.length} policies by ${filter}`, milliseconds);
  }
  const offset: number[] = [];
  for (let page = 0; page < 20; page++) {
    const begin = performance.now();
    await getPage(`${service.url}/api/v1/policies/?limit=${LIMIT}&offset=${POLICIES - LIMIT}`, ADMIN_KEY);
    offset.push(performance.now() - begin);
  }
  report(`the list of all policies at offset ${POLICIES - LIMIT}`, offset);
}

async function main(): Promise<void> {
  const before = await startService(dataFolder, await freePort());
  const { environmentId, key, shortCode } = await createMerchant(before.url);
  await sellProducts(before.url);
  await before.stop();
  const others = Math.ceil(POLICIES / 1_000);
  await importBook(environmentId, 'Auto', POLICIES - others);
  await importBook(environmentId, 'Gadget', others);
  const service = await startService(dataFolder, await freePort());
  try {
    await measure(service, shortCode, key);
  } finally {
    await service.stop();
  }
}

try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
