import { writeFileSync } from 'node:fs';
import autocannon from 'autocannon';
import { ADMIN_KEY, type Service } from './service.ts';

const GETS_A_SECOND = 200;
const SECONDS = 20;

/** Sends 200 `GET` a second for 20 s, and prints their latency. */
export async function measureGets({ url }: Service, path: string, what: string): Promise<void> {
  const headers = { 'x-api-key': ADMIN_KEY };
  const load = { url: url + path, headers, connections: 8, overallRate: GETS_A_SECOND, duration: SECONDS };
  const { latency, non2xx, errors } = await autocannon(load);
  const times = `p50 ${latency.p50} ms, p99 ${latency.p99} ms, at most ${latency.max} ms`;
  process.stdout.write(`${GETS_A_SECOND} GET a second, ${what}: ${times}, ${non2xx + errors} failed\n`);
}

/** Makes the next peak that of the time from now on (Linux). */
export function resetPeak({ pid }: Service): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
