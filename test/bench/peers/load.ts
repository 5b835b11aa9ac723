/** Sends load from a process of its own: reads a `Load` from standard input, prints its `LoadResult`. */
import { randomUUID } from 'node:crypto';
import { json } from 'node:stream/consumers';
import autocannon from 'autocannon';
import { postsPerSecond } from '../posts.ts';
import { percentile99 } from '../table.ts';

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
  const posts = load.policyIds.map((policy_id) => ({
    path: '/api/v1/policies/renew',
    body: { policy_id, preferred_policy_start_date: from, policy_duration: 1 },
    ...(withKeys && { idempotencyKey: randomUUID() }),
  }));
  const took: number[] = [];
  const perSecond = await postsPerSecond(load.url, load.key, posts, load.inFlight, took);
  return { perSecond, p99: percentile99(took) };
}
