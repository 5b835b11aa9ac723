/**
 * Measures how long single requests hold the event loop: `node test/bench/stalls.ts` after a build, on the embedded
 * stores in a temporary folder. One customer has 10,000 policies and claims, the policy of another 1,000 terms. Prints
 * the most processor time between two turns of the loop for each request. Run by hand; no test depends on the times.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../support/free-port.ts';
import { appendLargeCustomer } from '../support/large-customer.ts';
import { ADMIN_KEY, startService } from './service.ts';

const [POLICIES = 10_000, TERMS = 1_000] = process.argv.slice(2).map(Number);

const data = mkdtempSync(join(tmpdir(), 'surety-stalls-'));
try {
  await (await startService(data, await freePort(), { LOG_LEVEL: 'fatal' })).stop();
  const { customer, longPolicy: policy } = await appendLargeCustomer(data, POLICIES, TERMS);
  const file = join(data, 'delays.txt');
  writeFileSync(file, '');
  const watch = { NODE_OPTIONS: `--import ${join(import.meta.dirname, '../support/loop-delay.mjs')}` };
  const service = await startService(data, await freePort(), { LOG_LEVEL: 'error', ...watch, LOOP_DELAY_FILE: file });
  const csv = { accept: 'text/csv' };
  const lines = { accept: 'application/x-ndjson' };
  const requests: readonly (readonly [string, Readonly<Record<string, string>>?, object?])[] = [
    ['/api/v1/admin/commands/SetAutoRenew', {}, { policy_id: policy, auto_renew: true }],
    ['/openapi.json'],
    ['/api/v1/admin/commands'],
    ['/metrics'],
    [`/api/v1/customers/${customer}`],
    [`/api/v1/customers/${customer}?as_of=2026-06-01`],
    [`/api/v1/customers/${customer}?known_at=2026-03-02T00:00:00Z`],
    [`/api/v1/customers/${customer}/history?limit=100`],
    [`/api/v1/customers/${customer}/history?limit=100&offset=9000`],
    [`/api/v1/customers/${customer}/history`, csv],
    [`/api/v1/customers/${customer}/history`, lines],
    [`/api/v1/customers/${customer}/policies?limit=100&offset=9900`],
    [`/api/v1/customers/${customer}/claims?limit=100&offset=9900`],
    [`/api/v1/customers/${customer}/transactions?limit=100&offset=9900`],
    [`/api/v1/policies?limit=100&offset=9000`],
    [`/api/v1/policies/${policy}`],
    [`/api/v1/policies/${policy}?as_of=2026-06-01`],
    [`/api/v1/policies/${policy}?known_at=2026-03-02T00:00:00Z`],
    [`/api/v1/policies/${policy}/terms`],
    [`/api/v1/policies/${policy}/transactions?limit=100&offset=900`],
    [`/api/v1/policies/${policy}/history?limit=100`],
    [`/api/v1/policies/${policy}/history`, csv],
    ['/api/v1/audit/portfolio?as_of=2026-06-01&group_by=merchant'],
    ['/api/v1/admin/verifications', {}, {}],
    ['/api/v1/admin/parked'],
  ];
  for (const [path, headers = {}, body] of requests) {
    const start = Date.now();
    const response = await fetch(`${service.url}${path}`, {
      headers: { 'x-api-key': ADMIN_KEY, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    const { length } = await response.text();
    const seconds = ((Date.now() - start) / 1_000).toFixed(1);
    await pause(250);
    const turns = readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.split(' ').map(Number))
      .filter(([at = 0]) => at > start);
    const longest = Math.max(0, ...turns.map(([, , turn = 0]) => turn));
    process.stdout.write(
      `${longest.toFixed(0).padStart(6)} ms ${seconds.padStart(6)} s ${String(length).padStart(10)} bytes ${response.status} ${path} ${headers['accept'] ?? ''}\n`,
    );
  }
  await service.stop();
} finally {
  rmSync(data, { recursive: true, force: true });
}
