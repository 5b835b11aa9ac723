import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { addDays } from '#domain/values/dates.ts';
import { makePolicies, type Subject } from './policies.ts';
import { postsPerSecond, type Post } from './posts.ts';
import { benchQuotes, sellProducts } from './quotes.ts';
import { benchReadYourWrites } from './read-your-writes.ts';
import { startService, stop, untilReady } from './service.ts';
import { compareRates, type Row } from './table.ts';
import { benchYear } from './year.ts';

const ROUNDS = 3;
/** Renewals of each policy per round; few, because real policies have few terms. */
const RENEWALS = { many: 4, one: 1 } as const;

/**
 * Measures durable renewals through the service against the same handler on a log in memory, with 64 and 1 in flight,
 * and the time until a reader sees them.
 */
export async function benchRenew(folder: string, ports: readonly [number, number]): Promise<readonly Row[]> {
  const data = join(folder, 'commands');
  const service = await startService(data, ports[0]);
  const bare = spawn(process.execPath, [join(import.meta.dirname, 'storageless-server.ts'), String(ports[1])], {
    stdio: 'inherit',
  });
  const bareUrl = `http://127.0.0.1:${ports[1]}`;
  await untilReady(`${bareUrl}/livez`, bare);
  try {
    const subjects = [await makePolicies(service.url), await makePolicies(bareUrl)] as const;
    const many = await row(subjects, 64, RENEWALS.many);
    const one = await row(subjects, 1, RENEWALS.one);
    const seen = await benchReadYourWrites(subjects[0]);
    for (const { url } of subjects) await sellProducts(url);
    const quotes = await benchQuotes(subjects);
    return [many, one, seen, quotes, ...(await benchYear(subjects[0], join(data, 'events.db')))];
  } finally {
    await stop(bare);
    await service.stop();
  }
}

async function row([surety, bare]: readonly [Subject, Subject], inFlight: number, times: number): Promise<Row> {
  const what = `durable \`POST\` renew, ${inFlight} in flight, against the same handler without storage`;
  return await compareRates(what, 'requests/s', { rounds: ROUNDS }, async () => ({
    bare: await renewals(bare, inFlight, times),
    surety: await renewals(surety, inFlight, times),
  }));
}

/**
 * Renews every policy several times, each time with an Idempotency-Key of its own if asked to; returns renewals per
 * second.
 */
export async function renewals(
  subject: Subject,
  inFlight: number,
  times: number,
  { withKeys = false, took = [] as number[] } = {},
): Promise<number> {
  const posts: Post[] = [];
  for (let time = 0; time < times; time++) {
    for (const policyId of subject.policyIds) {
      const body = { policy_id: policyId, preferred_policy_start_date: subject.next, policy_duration: 1 };
      posts.push({ path: '/api/v1/policies/renew', body, ...(withKeys && { idempotencyKey: randomUUID() }) });
    }
    subject.next = addDays(subject.next, 2);
  }
  return await postsPerSecond(subject.url, subject.key, posts, inFlight, took);
}
