/**
 * Measures `surety verify --url` on a data folder, and `GET` of a policy while it runs: `node test/bench/verify.ts FOLDER`. No other
 * process may use the folder. Run by hand; no test depends on the times.
 */
import { performance } from 'node:perf_hooks';
import { freePort } from '../support/free-port.ts';
import { ADMIN_KEY, peakOf, runSurety, startService } from './service.ts';
import { measureGets, resetPeak } from './steady-gets.ts';

const [folder = './data'] = process.argv.slice(2);
const service = await startService(folder, await freePort(), { LOG_LEVEL: 'warn' });

async function get(path: string): Promise<Response> {
  return await fetch(service.url + path, { headers: { 'x-api-key': ADMIN_KEY } });
}

async function verify(): Promise<void> {
  resetPeak(service);
  const before = peakOf(service.pid);
  const start = performance.now();
  const { out } = await runSurety(folder, ['verify', '--url', service.url]);
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  process.stdout.write(
    `verified in ${seconds} s, ${before.toFixed(0)} → ${peakOf(service.pid).toFixed(0)} MiB: ${out}`,
  );
}

/** Starts a verification. */
async function start(): Promise<void> {
  await fetch(`${service.url}/api/v1/admin/verifications/`, { method: 'POST', headers: { 'x-api-key': ADMIN_KEY } });
}

const { results } = (await (await get('/api/v1/policies/?limit=1')).json()) as { results: { policy_id: string }[] };
const policy = `/api/v1/policies/${results[0]?.policy_id}/`;
await verify();
await measureGets(service, policy, 'alone');
const measurement = new AbortController();
const measured = measureGets(service, policy, 'while verifications run one after the other').finally(() =>
  measurement.abort(),
);
while (!measurement.signal.aborted) await verify();
await measured;
await measureGets(service, policy, 'alone again');
await start();
const stopping = performance.now();
await service.stop();
process.stdout.write(`stopped in ${(performance.now() - stopping).toFixed(0)} ms during a verification\n`);
