import { Agent } from 'node:http';
import { performance } from 'node:perf_hooks';
import { addDays } from '#domain/values/dates.ts';
import { inFlight, read, send } from './posts.ts';
import type { Subject } from './policies.ts';
import { median, percentile99, type Row } from './table.ts';

const LANES = 8;
const TIMES = 3;

/**
 * Measures how long a `GET` right after an acknowledged `POST` takes until it returns the write, with eight clients.
 * @throws {Error} when a response has an older state
 */
export async function benchReadYourWrites(subject: Subject): Promise<Row> {
  const agent = new Agent({ keepAlive: true, maxSockets: LANES });
  const delays: number[] = [];
  for (let time = 0; time < TIMES; time++) {
    const start = subject.next;
    await inFlight(subject.policyIds, LANES, async (id) => {
      const body = { policy_id: id, preferred_policy_start_date: start, policy_duration: 1 };
      await send(agent, subject.url, subject.key, { path: '/api/v1/policies/renew', body });
      const answered = performance.now();
      const policy = JSON.parse(await read(agent, subject.url, subject.key, `/api/v1/policies/${id}`));
      delays.push(performance.now() - answered);
      if (policy.effective_from !== start) throw new Error(`${id} was read as it was before its renewal`);
    });
    subject.next = addDays(start, 2);
  }
  agent.destroy();
  const what = `\`GET\` right behind a \`POST\` that was answered, ${LANES} clients: ${delays.length} of ${delays.length} saw it`;
  return {
    what,
    surety: `p50 ${median(delays).toFixed(1)} ms, p99 ${percentile99(delays).toFixed(1)} ms`,
    bare: 'aim: p99 5 ms',
    ratio: '–',
  };
}
