import { writeFileSync } from 'node:fs';
import autocannon from 'autocannon';
import { ADMIN_KEY, peakOf, type Service } from './service.ts';

const GETS_A_SECOND = 200;
const SECONDS = 20;

/** Sends 200 `GET` a second for 20 s, and prints their latency. */
async function measureGets({ url }: Service, path: string, what: string): Promise<void> {
  const headers = { 'x-api-key': ADMIN_KEY };
  const load = { url: url + path, headers, connections: 8, overallRate: GETS_A_SECOND, duration: SECONDS };
  const { latency, non2xx, errors } = await autocannon(load);
  const times = `p50 ${latency.p50} ms, p99 ${latency.p99} ms, at most ${latency.max} ms`;
  process.stdout.write(`${GETS_A_SECOND} GET a second, ${what}: ${times}, ${non2xx + errors} failed\n`);
}

/**
 * Reads a policy of the service all the time, alone, while the work is done again and again, and alone again. Returns
 * how often it was done.
 */
export async function measureBeside(service: Service, what: string, work: () => Promise<unknown>): Promise<number> {
  const list = await fetch(`${service.url}/api/v1/policies/?limit=1`, { headers: { 'x-api-key': ADMIN_KEY } });
  const { results } = (await list.json()) as { results: { policy_id: string }[] };
  const policy = `/api/v1/policies/${results[0]?.policy_id}/`;
  await measureGets(service, policy, 'alone');
  const over = new AbortController();
  let times = 0;
  const measured = measureGets(service, policy, `while ${what} run one after the other`).finally(() => over.abort());
  for (; !over.signal.aborted; times += 1) await work();
  await measured;
  await measureGets(service, policy, 'alone again');
  return times;
}

/** Does the work; returns its seconds with the peak memory of the service before and since, as text. */
export async function describeCost(service: Service, work: () => Promise<unknown>): Promise<string> {
  // Makes the next peak that of the time from now on (Linux).
  writeFileSync(`/proc/${service.pid}/clear_refs`, '5');
  const before = peakOf(service.pid);
  const start = performance.now();
  await work();
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  return `${seconds} s, ${before.toFixed(0)} → ${peakOf(service.pid).toFixed(0)} MiB`;
}
