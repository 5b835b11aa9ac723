/**
 * Measures Surety on embedded stores beside what people would use instead, in the same run: `npm run bench:peers`.
 * Every program has the same policies, gets the same requests from a process of its own, and takes its turn in every
 * round.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { addDays } from '#domain/values/dates.ts';
import { freePort } from '../../support/free-port.ts';
import { importScaleBook } from '../scale-book.ts';
import { readStreamIds, startService } from '../service.ts';
import { machine, median, whole } from '../table.ts';
import type { Load, LoadResult } from './load.ts';
import type { SeedPolicy } from './policy-table.ts';
import { type Program, type Setting, startEmmett, startExpress, startNodeHttp, startSurety } from './programs.ts';

const POLICIES = 5_000;
/** A book as it is in the morning: no cache holds its policies. */
const BOOK = 100_000;
const EVENTS_PER_POLICY = 4.75;
const ROUNDS = 5;
const TODAY = new Date().toISOString().slice(0, 10);

interface Measure {
  readonly name: string;
  readonly policies: number;
  readonly inFlight: number;
  readonly renews: boolean;
  readonly withKeys: boolean;
}

const MEASURES: readonly Measure[] = [
  { name: 'renewal, 64 in flight', policies: 2_560, inFlight: 64, renews: true, withKeys: false },
  { name: 'the same with Idempotency-Key', policies: 2_560, inFlight: 64, renews: true, withKeys: true },
  { name: 'renewal, 1 in flight', policies: 500, inFlight: 1, renews: true, withKeys: false },
  { name: 'the same with Idempotency-Key', policies: 500, inFlight: 1, renews: true, withKeys: true },
  { name: '`GET` of a random policy, 32 in flight', policies: POLICIES, inFlight: 32, renews: false, withKeys: false },
];

const MORNING: readonly Measure[] = [
  {
    name: `renewal with Idempotency-Key, 64 in flight, of ${whole(BOOK)} policies`,
    policies: 5_000,
    inFlight: 64,
    renews: true,
    withKeys: true,
  },
];

const gaps: string[] = [];
process.stdout.write(
  `${await compare(POLICIES, MEASURES, [startSurety, startExpress, startNodeHttp, startEmmett])}\n\n`,
);
process.stdout.write(`${await compare(BOOK, MORNING, [startSurety, startExpress])}\n\n`);
process.stdout.write(`${[...gaps, machine()].join('\n')}\n`);

/** Returns the table of the measures with programs that have so many policies. */
async function compare(
  policies: number,
  measures: readonly Measure[],
  starts: readonly ((setting: Setting) => Promise<Program>)[],
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'surety-peers-'));
  const programs: Program[] = [];
  try {
    const setting = await prepare(folder, policies);
    const ids = await writeSeed(setting);
    for (const start of starts) {
      try {
        programs.push(await start(setting));
      } catch (error) {
        gaps.push(`Missing: ${String(error)}`);
      }
    }
    return await table({ key: setting.key, ids, measures, programs });
  } finally {
    for (const program of programs) await program.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Imports the policies into the data folder of Surety. */
async function prepare(folder: string, policies: number): Promise<Setting> {
  const data = join(folder, 'surety');
  const { key } = await importScaleBook({ folder, data }, policies * EVENTS_PER_POLICY, TODAY, 19);
  return { folder, data, seedFile: join(folder, 'policies.json'), key };
}

/**
 * Writes the policies, as Surety answers them, to the file from which the other programs take them. Returns their ids.
 */
async function writeSeed({ data, seedFile, key }: Setting): Promise<readonly string[]> {
  const { ids } = readStreamIds(data, 'policy');
  const service = await startService(data, await freePort(), { LOG_LEVEL: 'warn' });
  const seed: SeedPolicy[] = [];
  for (const policy_id of ids) {
    const response = await fetch(`${service.url}/api/v1/policies/${policy_id}/`, { headers: { 'X-API-Key': key } });
    const document = await response.text();
    const { policy_number, effective_through: through } = JSON.parse(document) as Record<string, string>;
    seed.push({ policy_id, policy_number: String(policy_number), through: String(through), document });
  }
  await service.stop();
  writeFileSync(seedFile, JSON.stringify(seed));
  return ids;
}

interface Comparison {
  readonly key: string;
  readonly ids: readonly string[];
  readonly measures: readonly Measure[];
  readonly programs: readonly Program[];
}

async function table({ key, ids, measures, programs }: Comparison): Promise<string> {
  const results = new Map<string, LoadResult[]>();
  const cell = (measure: Measure, program: Program): string => `${measures.indexOf(measure)} ${program.name}`;
  let renewals = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (const measure of measures) {
      const policyIds = someOf(ids, measure.policies);
      const from = addDays(TODAY, 366 + renewals);
      if (measure.renews) renewals += 1;
      const { inFlight, renews, withKeys } = measure;
      for (const program of programs.filter(({ takesKeys }) => takesKeys || !withKeys)) {
        const { url } = program;
        const result = await send({ url, key, policyIds, inFlight, ...(renews && { renewal: { from, withKeys } }) });
        results.set(cell(measure, program), [...(results.get(cell(measure, program)) ?? []), result]);
        process.stderr.write(`${round + 1}/${ROUNDS} ${measure.name}, ${program.name}: ${whole(result.perSecond)}/s\n`);
      }
    }
  }
  const rateOf = (measure: Measure, program: Program | undefined): number =>
    program === undefined
      ? Number.NaN
      : median((results.get(cell(measure, program)) ?? []).map((one) => one.perSecond));
  const shown = (measure: Measure, program: Program): string => {
    const all = results.get(cell(measure, program));
    if (all === undefined) return '–';
    const rates = all.map((one) => one.perSecond);
    const p99 = median(all.map((one) => one.p99)).toFixed(1);
    return `${whole(median(rates))} (${whole(Math.min(...rates))} to ${whole(Math.max(...rates))}), p99 ${p99} ms`;
  };
  const [surety, express] = programs;
  const lines = measures.map((measure) => {
    const ratio = (rateOf(measure, surety) / rateOf(measure, express)).toFixed(2);
    return `| ${[measure.name, ...programs.map((program) => shown(measure, program)), ratio].join(' | ')} |`;
  });
  const heading = ['Requests a second', ...programs.map(({ name }) => name), `Surety to ${express?.name}`];
  return [`| ${heading.join(' | ')} |`, `|---${'|---:'.repeat(heading.length - 1)}|`, ...lines].join('\n');
}

/** Runs load from a process of its own. */
async function send(load: Load): Promise<LoadResult> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'load.ts')], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(load));
  return (await json(child.stdout)) as LoadResult;
}

/** Draws different policies. The draw need not be the same in another run. */
function someOf(ids: readonly string[], count: number): readonly string[] {
  return ids
    .map((id) => ({ id, draw: Math.random() }))
    .sort((a, b) => a.draw - b.draw)
    .slice(0, count)
    .map(({ id }) => id);
}
