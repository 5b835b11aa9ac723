/** Sends load from a process of its own: reads a `Load` from standard input, prints its `LoadResult`. */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { json } from 'node:stream/consumers';
import autocannon from 'autocannon';

/** Renewals of each of these policies, or reads of them for some seconds. */
export interface Load {
  readonly url: string;
  readonly key: string;
  readonly policyIds: readonly string[];
  readonly inFlight: number;
  readonly renewal?: { readonly from: string; readonly withKeys: boolean };
  readonly seconds?: number;
}

export interface LoadResult {
  readonly perSecond: number;
  /** In milliseconds. */
  readonly p99: number;
}

process.stdout.write(JSON.stringify(await run((await json(process.stdin)) as Load)));

async function run(load: Load): Promise<LoadResult> {
  return load.renewal === undefined ? await reads(load) : await renewals(load, load.renewal);
}

async function reads({ url, key, policyIds, inFlight, seconds = 5 }: Load): Promise<LoadResult> {
  let next = 0;
  const result = await autocannon({
    url,
    connections: inFlight,
    duration: seconds,
    requests: [
      {
        headers: { 'X-API-Key': key },
        setupRequest: (sent) => ({ ...sent, path: `/api/v1/policies/${policyIds[next++ % policyIds.length]}/` }),
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} other answers, ${result.errors} errors`);
  return { perSecond: result.requests.average, p99: result.latency.p99 };
}

async function renewals(load: Load, { from, withKeys }: NonNullable<Load['renewal']>): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.inFlight });
  const rest = [...load.policyIds];
  const took: number[] = [];
  const worker = async (): Promise<void> => {
    for (let id = rest.pop(); id !== undefined; id = rest.pop()) {
      const begun = performance.now();
      await renew(agent, load, { policy_id: id, preferred_policy_start_date: from, policy_duration: 1 }, withKeys);
      took.push(performance.now() - begun);
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: load.inFlight }, worker));
  const seconds = (performance.now() - start) / 1_000;
  agent.destroy();
  return { perSecond: took.length / seconds, p99: took.sort((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? 0 };
}

async function renew(agent: Agent, { url, key }: Load, body: object, withKeys: boolean): Promise<void> {
  const text = JSON.stringify(body);
  const headers = {
    'X-API-Key': key,
    'Content-Type': 'application/json',
    'Content-Length': text.length,
    ...(withKeys && { 'Idempotency-Key': randomUUID() }),
  };
  await new Promise<void>((resolve, reject) => {
    const sent = request(`${url}/api/v1/policies/renew`, { agent, method: 'POST', headers }, (response) => {
      let received = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
      response.on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${response.statusCode} ${received}`));
      });
    });
    sent.on('error', reject).end(text);
  });
}
