/**
 * Measures how cost grows with the log: `npm run bench:scale [events…]` (default 10000 100000 1000000), on the embedded
 * stores in a temporary folder. One service a size runs at the same time, and every request is measured on all of them
 * in turn, so that the load of the machine concerns all sizes alike. Prints a Markdown table. Run by hand; no test
 * depends on the times.
 */
import { createReadStream, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { readModelsIn } from '#service/config/data-folder.ts';
import { freePort } from '../support/free-port.ts';
import { getFeed } from './feed-walk.ts';
import { inFlight, postsPerSecond, read } from './posts.ts';
import { importScaleBook } from './scale-book.ts';
import { ADMIN_KEY, peakOf, readStreamIds, runSurety, type Service, startService as startLogging } from './service.ts';
import { machine, median, whole } from './table.ts';

const SIZES = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [10_000, 100_000, 1_000_000];
const SEED = 18;
const ROUNDS = 5;
const GETS = 1_000;
/** In each round, all of others. */
const FEED_PAGES = 60;
/**
 * In each round. All rounds together fit into the smallest book, so that no size renews a policy that it holds in
 * memory.
 */
const WRITES = 384;
const IN_FLIGHT = 64;
const TODAY = new Date().toISOString().slice(0, 10);

/** One size: its folder and, while requests are measured, its service. */
interface Scale {
  readonly folder: string;
  readonly data: string;
  readonly results: Map<string, number[]>;
  readonly key: string;
  readonly shortCode: string;
  service: Service | undefined;
  readonly policies: readonly string[];
  readonly customers: readonly string[];
}

async function startService(data: string): Promise<Service> {
  return await startLogging(data, await freePort(), { LOG_LEVEL: 'warn' });
}

function record(scale: Scale, what: string, value: number): void {
  scale.results.set(what, [...(scale.results.get(what) ?? []), value]);
}

async function seconds(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return (performance.now() - start) / 1_000;
}

async function create(base: string, events: number): Promise<Scale> {
  const folder = join(base, String(events));
  mkdirSync(folder);
  const data = join(folder, 'data');
  const { key, shortCode, seconds: taken, peakMib } = await importScaleBook({ folder, data }, events, TODAY, SEED);
  const { ids, last } = readStreamIds(data, 'policy');
  const scale: Scale = {
    folder,
    data,
    results: new Map(),
    key,
    shortCode,
    service: undefined,
    policies: shuffled(ids),
    customers: shuffled(readStreamIds(data, 'customer').ids),
  };
  record(scale, 'import, peak MiB', peakMib);
  record(scale, 'events', last);
  record(scale, 'import, events/s', last / taken);
  return scale;
}

/** Shuffles with a seed. */
function shuffled(ids: readonly string[]): readonly string[] {
  let random = SEED;
  return ids
    .map((id) => {
      random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
      return { id, random };
    })
    .toSorted((a, b) => a.random - b.random)
    .map(({ id }) => id);
}

function urlOf({ service }: Scale): string {
  if (service === undefined) throw new Error('the service of this size does not run');
  return service.url;
}

/** Reads paths with 8 in flight; returns answers per second. */
async function readsPerSecond(scale: Scale, key: string, paths: readonly string[]): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const url = urlOf(scale);
  const taken = await inFlight(paths, 8, async (path) => void (await read(agent, url, key, path)));
  agent.destroy();
  return paths.length / taken;
}

/** Some ids, each time others, again from the start when all were used. */
function someOf(ids: readonly string[], count: number, round: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => ids[(round * count + index) % ids.length] ?? '');
}

/** The policies that this round renews, and then claims on. */
function policiesOf(scale: Scale, round: number): readonly string[] {
  return scale.policies.slice(round * WRITES, (round + 1) * WRITES);
}

type Measure = (scale: Scale, round: number) => Promise<number>;

const REQUESTS: Readonly<Record<string, Measure>> = {
  'random GET of a policy, /s': async (scale, round) =>
    await readsPerSecond(
      scale,
      scale.key,
      someOf(scale.policies, GETS, round).map((id) => `/api/v1/policies/${id}/`),
    ),
  'GET of a customer, /s': async (scale, round) =>
    await readsPerSecond(
      scale,
      scale.key,
      someOf(scale.customers, GETS, round).map((id) => `/api/v1/customers/${id}/`),
    ),
  "page of a customer's transactions, /s": async (scale, round) =>
    await readsPerSecond(
      scale,
      scale.key,
      someOf(scale.customers, GETS / 4, round).map((id) => `/api/v1/customers/${id}/transactions/`),
    ),
  'history of a policy, /s': async (scale, round) =>
    await readsPerSecond(
      scale,
      scale.key,
      someOf(scale.policies, GETS / 4, round).map((id) => `/api/v1/policies/${id}/history/`),
    ),
  'first page of all policies, /s': async (scale) =>
    await readsPerSecond(scale, ADMIN_KEY, Array<string>(100).fill('/api/v1/policies/')),
  'page of all policies by `next`, /s': async (scale) => await pagesByNext(scale),
  'first page of own policies, /s': async (scale) =>
    await readsPerSecond(scale, scale.key, Array<string>(100).fill(`/api/v1/merchants/${scale.shortCode}/policies/`)),
  'page of 100 events of the feed, /s': async (scale, round) =>
    await readsPerSecond(scale, scale.key, feedPages(scale, round)),
  'page at the end of the feed, /s': async (scale) => await endsOfFeed(scale, scale.key, ''),
  'page at the end of the feed of a mode without events, /s': async (scale) =>
    await endsOfFeed(scale, ADMIN_KEY, '&test_mode=true'),
  'renewal, 64 in flight, /s': async (scale, round) => await renewals(scale, round),
  'claim, 64 in flight, /s': async (scale, round) => await claims(scale, round),
};

async function pagesByNext(scale: Scale): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const url = urlOf(scale);
  const total = (JSON.parse(await read(agent, url, ADMIN_KEY, '/api/v1/policies/?limit=1')) as { count: number }).count;
  let next: string | null = `/api/v1/policies/?limit=25&offset=${Math.floor(total / 2)}`;
  const first = JSON.parse(await read(agent, url, ADMIN_KEY, next)) as { next: string | null };
  next = first.next;
  let pages = 0;
  const taken = await seconds(async () => {
    for (; next !== null && pages < 30; pages++) {
      const { pathname, search } = new URL(next, url);
      next = (JSON.parse(await read(agent, url, ADMIN_KEY, pathname + search)) as { next: string | null }).next;
    }
  });
  agent.destroy();
  return pages / taken;
}

/** Pages that begin all over the log. */
function feedPages(scale: Scale, round: number): readonly string[] {
  const last = median(scale.results.get('events') ?? []);
  const step = last / (FEED_PAGES * ROUNDS + 1);
  return Array.from({ length: FEED_PAGES }, (_, index) => {
    const after = Math.floor(step * (index * ROUNDS + round));
    return `/api/v1/events/?limit=100&after=${after}`;
  });
}

async function endsOfFeed(scale: Scale, key: string, more: string): Promise<number> {
  const { headers } = await getFeed(`${urlOf(scale)}/api/v1/events/?limit=1${more}`, key);
  const path = `/api/v1/events/?after=${headers.get('surety-position')}${more}`;
  return await readsPerSecond(scale, key, Array<string>(GETS).fill(path));
}

async function renewals(scale: Scale, round: number): Promise<number> {
  const start = new Date(Date.parse(TODAY) + (366 + round) * 86_400_000).toISOString().slice(0, 10);
  const posts = policiesOf(scale, round).map((policy_id) => ({
    path: '/api/v1/policies/renew',
    body: { policy_id, preferred_policy_start_date: start, policy_duration: 1 },
  }));
  return await postsPerSecond(urlOf(scale), scale.key, posts, IN_FLIGHT);
}

async function claims(scale: Scale, round: number): Promise<number> {
  const posts = policiesOf(scale, round).map((policy_id) => ({
    path: '/api/v1/claims',
    body: { policy_id, claim_details: { claim_type: 'theft', incident_date: TODAY, claim_amount: '10.00' } },
  }));
  return await postsPerSecond(urlOf(scale), scale.key, posts, IN_FLIGHT);
}

/**
 * Reads the files once, so that all sizes are in the page cache of the system, as they are in a service that has run
 * for a while.
 */
async function warm({ data }: Scale): Promise<void> {
  for (const name of readdirSync(data).filter((file) => file.endsWith('.db')))
    for await (const _ of createReadStream(join(data, name), { highWaterMark: 1 << 20 }));
}

async function measureRequests(scales: readonly Scale[]): Promise<void> {
  for (const scale of scales) await warm(scale);
  for (const scale of scales) {
    record(scale, 'start, s', await seconds(async () => (scale.service = await startService(scale.data))));
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const [what, measure] of Object.entries(REQUESTS)) {
      for (const scale of scales) record(scale, what, await measure(scale, round));
      process.stderr.write(`round ${round + 1} of ${ROUNDS}: ${what}\n`);
    }
  }
  for (const scale of scales) {
    record(scale, 'service, peak MiB', peakOf(scale.service?.pid));
    const rebuild = ['rebuild', '--url', urlOf(scale)];
    record(scale, 'rebuild beside it, s', await seconds(async () => await runSurety(scale.data, rebuild)));
    record(scale, 'service with a rebuild, peak MiB', peakOf(scale.service?.pid));
    const backup = join(scale.folder, 'backup');
    record(scale, 'backup beside it, s', await seconds(async () => await runSurety(scale.data, ['backup', backup])));
    await scale.service?.stop();
    scale.service = undefined;
  }
}

async function measureTools(scale: Scale): Promise<void> {
  const mib = (name: string): number => statSync(join(scale.data, name)).size / 2 ** 20;
  record(scale, 'events.db, MiB', mib('events.db'));
  const readModels = readModelsIn(scale.data).map(({ name }) => name);
  record(
    scale,
    'read models, MiB',
    readModels.reduce((sum, name) => sum + mib(name), 0),
  );
  let peak = 0;
  const verify = async (): Promise<void> => void (peak = (await runSurety(scale.data, ['verify'])).peakMib);
  record(scale, 'verify, s', await seconds(verify));
  record(scale, 'verify, peak MiB', peak);
  for (const { name } of readModelsIn(scale.data))
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(scale.data, `${name}${suffix}`), { force: true });
  let service: Service | undefined;
  const rebuild = async (): Promise<void> => void (service = await startService(scale.data));
  record(scale, 'start without read models, s', await seconds(rebuild));
  record(scale, 'the same, peak MiB', peakOf(service?.pid));
  await service?.stop();
}

function table(scales: readonly Scale[]): string {
  const names = [...(scales[0]?.results.keys() ?? [])];
  const valueOf = (scale: Scale | undefined, name: string): number => median(scale?.results.get(name) ?? []);
  const shown = (value: number): string => (value < 20 ? value.toFixed(1) : whole(value));
  const lines = names.map((name) => {
    const values = scales.map((scale) => shown(valueOf(scale, name)));
    const ratio = (valueOf(scales.at(-1), name) / valueOf(scales[0], name)).toFixed(2);
    return `| ${[name, ...values, ratio].join(' | ')} |`;
  });
  const heading = ['Events', ...SIZES.map(whole), 'last to first'];
  return [`| ${heading.join(' | ')} |`, `|---${'|---:'.repeat(heading.length - 1)}|`, ...lines].join('\n');
}

const base = mkdtempSync(join(tmpdir(), 'surety-scale-'));
try {
  const scales: Scale[] = [];
  for (const events of SIZES) scales.push(await create(base, events));
  await measureRequests(scales);
  for (const scale of scales) await measureTools(scale);
  process.stdout.write(`${table(scales)}\n\n${machine()}\n`);
} finally {
  rmSync(base, { recursive: true, force: true });
}
