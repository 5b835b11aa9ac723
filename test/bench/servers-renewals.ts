import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StandInProcess } from '../servers/eventstoredb/support/stand-in-process.ts';
import { Broker } from '../servers/support/broker.ts';
import { MongodbProcess } from '../servers/support/mongodb-process.ts';
import { freePort } from '../support/free-port.ts';
import { makePolicies } from './policies.ts';
import { renewals } from './renew.ts';
import { startService } from './service.ts';
import { percentile99, type Row } from './table.ts';

const ROUNDS = 3;

/** Resources used so far. */
interface Use {
  readonly cpuMs: number;
  readonly calls: Readonly<Record<string, number>>;
}

/**
 * Measures the cost of a renewal in a process with all roles on servers (EventStoreDB is the stand-in): CPU of the
 * process, and calls to the event store by kind. With BENCH_PROGRAM it measures another checkout on the same stand-in.
 */
export async function benchRenewals(): Promise<readonly Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'surety-bench-'));
  const [eventStore, mongodb, kafka] = await Promise.all([
    StandInProcess.start(join(folder, 'eventstoredb')),
    MongodbProcess.start(),
    Broker.start(),
  ]);
  try {
    const service = await startService(join(folder, 'data'), await freePort(), {
      EVENTSTORE_URL: eventStore.url,
      MONGODB_URL: `mongodb://127.0.0.1:${mongodb.port}/surety`,
      KAFKA_BROKERS: kafka.options.brokers.join(','),
      LOG_LEVEL: 'warn',
    });
    try {
      const subject = await makePolicies(service.url);
      const use = async (): Promise<Use> => ({ cpuMs: await cpuMsOf(service.url), calls: await eventStore.calls() });
      const rows: Row[] = [];
      for (const inFlight of [1, 64]) {
        // The first round is a warm-up.
        await renewals(subject, inFlight, 1, { withKeys: true });
        const before = await use();
        const took: number[] = [];
        let perSecond = 0;
        for (let round = 0; round < ROUNDS; round += 1)
          perSecond += (await renewals(subject, inFlight, 1, { withKeys: true, took })) / ROUNDS;
        rows.push(...costs(inFlight, before, await use(), took, perSecond));
      }
      return rows;
    } finally {
      await service.stop();
    }
  } finally {
    await Promise.all([eventStore.kill(), mongodb.dispose(), kafka.dispose()]);
    await rm(folder, { recursive: true, force: true });
  }
}

function costs(inFlight: number, before: Use, after: Use, took: number[], perSecond: number): readonly Row[] {
  const count = took.length;
  const p99 = percentile99(took);
  const what = `\`POST\` renew with Idempotency-Key on EventStoreDB (stand-in), all roles in one process, ${inFlight} in flight`;
  const row = (name: string, surety: string): Row => ({ what: `${what}: ${name}`, surety, bare: '', ratio: '' });
  const kinds = Object.entries(after.calls).map(
    ([kind, calls]) => `${((calls - (before.calls[kind] ?? 0)) / count).toFixed(2)} ${kind}`,
  );
  return [
    row('CPU of the process a renewal', `${((after.cpuMs - before.cpuMs) / count).toFixed(2)} ms`),
    row('calls to the event store a renewal', kinds.join(', ')),
    row('rate', `${Math.round(perSecond)} requests/s, p99 ${p99.toFixed(1)} ms`),
  ];
}

/** Reads the CPU milliseconds of the process from its metrics. */
async function cpuMsOf(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return 1_000 * Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]);
}
