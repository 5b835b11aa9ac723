/**
 * Measures a customer with many policies: `node test/bench/fleet.ts [policies]` (default 5000), on the embedded stores in a
 * temporary folder. Run by hand; nothing in the tests depends on the times.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { command, runSurety, startService } from './service.ts';
import { median } from './table.ts';

const POLICIES = Number(process.argv[2] ?? 5_000);
const SMALL_CUSTOMERS = 200;
/** Per round. */
const RENEWALS = 50;
const READS = 30;
const PORT = 3_977;
const TODAY = new Date().toISOString().slice(0, 10);
const day = (offset: number): string => new Date(Date.parse(TODAY) + offset * 86_400_000).toISOString().slice(0, 10);

const folder = mkdtempSync(join(tmpdir(), 'surety-fleet-'));
const dataFolder = join(folder, 'data');

/** Writes a book: one customer with a fleet, or as many customers of one policy each. */
function writeBook(name: string, rows: number, emailOf: (row: number) => string): string {
  const file = join(folder, `${name}.csv`);
  const lines = Array.from({ length: rows }, (_, row) =>
    [`${name}-${row}`, 'Fleet Motor', `C-${name}`, `Holder ${name}`, emailOf(row), day(-200), day(164), '365.00'].join(
      ',',
    ),
  );
  const heading =
    'policy_number,product_name,customer_reference,customer_name,customer_email,term_from,term_through,premium';
  writeFileSync(file, [heading, ...lines, ''].join('\n'));
  return file;
}

async function importBook(environment: number, file: string): Promise<number> {
  const options = ['--json', '--environment', String(environment), '--provider', 'Insurer', '--refused', folder];
  const { out } = await runSurety(dataFolder, ['import', ...options, file]);
  return (JSON.parse(out) as { readonly seconds: number }).seconds;
}

async function times(count: number, action: (index: number) => Promise<unknown>): Promise<string> {
  const taken: number[] = [];
  for (let index = 0; index < count; index++) {
    const start = performance.now();
    await action(index);
    taken.push(performance.now() - start);
  }
  return `${median(taken).toFixed(1)} ms (most ${Math.max(...taken).toFixed(1)} ms)`;
}

function report(what: string, value: string): void {
  process.stdout.write(`${what.padEnd(58)} ${value}\n`);
}

async function measure(): Promise<void> {
  const first = await startService(dataFolder, PORT);
  const { short_code } = await command(first.url, 'RegisterMerchant', {
    name: 'Fleet',
    business_email: 'f@fleet.example',
  });
  const environment = { short_code, environment_name: 'Live', test_mode: false };
  const { environment_id } = await command(first.url, 'CreateEnvironment', environment);
  const { api_key } = await command(first.url, 'IssueApiKey', { environment_id, label: 'load' });
  await first.stop();
  const small = writeBook('SMALL', SMALL_CUSTOMERS, (row) => `small-${row}@customers.example`);
  const fleet = writeBook('FLEET', POLICIES, () => 'fleet@customers.example');
  const others = writeBook('OTHER', POLICIES, (row) => `other-${row}@customers.example`);
  await importBook(Number(environment_id), small);
  for (const [name, file] of [
    ['one customer', fleet],
    ['as many customers', others],
  ] as const)
    report(
      `import of ${POLICIES} policies of ${name}`,
      `${(POLICIES / (await importBook(Number(environment_id), file))).toFixed(0)} rows/s`,
    );

  const { url, stop } = await startService(dataFolder, PORT);
  const headers = { 'content-type': 'application/json', 'x-api-key': String(api_key) };
  const get = async (path: string): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await fetch(`${url}/api/v1/${path}`, { headers });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Readonly<Record<string, unknown>>;
  };
  const renew = async (policy_number: string): Promise<string> => {
    const body = { policy_number, preferred_policy_start_date: day(165), policy_duration: 365 };
    const answer = await fetch(`${url}/api/v1/policies/renew`, { method: 'POST', headers, body: JSON.stringify(body) });
    const renewed = (await answer.json()) as { readonly data: { readonly policy_id: string } };
    if (!answer.ok) throw new Error(JSON.stringify(renewed));
    return renewed.data.policy_id;
  };
  const customerOf = async (policyId: string): Promise<string> => {
    const { policy_holder } = (await get(`policies/${policyId}`)) as { policy_holder: { customer_id: string } };
    return policy_holder.customer_id;
  };
  const smallId = await customerOf(await renew('SMALL-0'));
  const fleetId = await customerOf(await renew('FLEET-0'));
  for (const [round, book] of ['SMALL', 'FLEET', 'SMALL', 'FLEET'].entries()) {
    const first = 1 + Math.floor(round / 2) * RENEWALS;
    report(
      `renewal of a policy, ${book}`,
      await times(RENEWALS, async (index) => await renew(`${book}-${first + index}`)),
    );
  }
  const patch = async (id: string, index: number): Promise<void> => {
    const body = JSON.stringify({ address: `${index} Marina Road` });
    const answer = await fetch(`${url}/api/v1/customers/${id}`, { method: 'PATCH', headers, body });
    if (!answer.ok) throw new Error(await answer.text());
    await answer.arrayBuffer();
  };
  for (const [name, id] of [
    ['SMALL', smallId],
    ['FLEET', fleetId],
  ] as const) {
    const { count } = (await get(`customers/${id}/history?limit=1`)) as { count: number };
    report(`GET customer, ${name}`, await times(READS, async () => await get(`customers/${id}`)));
    report(`PATCH customer, ${name}`, await times(READS, async (index) => await patch(id, index)));
    report(
      `history, first 25 of ${count}, ${name}`,
      await times(READS, async () => await get(`customers/${id}/history`)),
    );
    const last = Math.max(0, count - 25);
    report(
      `history, last 25, ${name}`,
      await times(READS, async () => await get(`customers/${id}/history?offset=${last}`)),
    );
    report(`policies, first 25, ${name}`, await times(READS, async () => await get(`customers/${id}/policies`)));
    report(`claims, ${name}`, await times(READS, async () => await get(`customers/${id}/claims`)));
  }
  const now = new Date().toISOString();
  report(
    'GET customer as known now, FLEET',
    await times(1, async () => await get(`customers/${fleetId}?known_at=${now}`)),
  );
  const health = await fetch(`${url}/readyz`);
  report('ready afterwards', String(health.status));
  await stop();
}

try {
  await measure();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
