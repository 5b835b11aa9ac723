import { readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Service } from './service-process.ts';
import { waitUntil } from './wait-until.ts';
import type { Workspace } from './workspace.ts';

const LOOP_DELAY = fileURLToPath(new URL('loop-delay.mjs', import.meta.url));

/** Ends a probe that is not answered at all: in CI other suites may take both cores for many seconds. */
const PROBE_TIMEOUT_MS = 30_000;

/**
 * No turn of the event loop may be longer, in milliseconds of processor time. The slowest machine measured needs 480
 * ms; the limit is for work that is not divided into turns, whose length grows with the attack.
 */
export const LONGEST_TURN_MS = 1_000;

/** Load of a service since it was ready. */
export interface Load {
  /** Most processor time between two turns of the event loop, in milliseconds. */
  readonly longestTurnMs: number;
  /** Peak of the memory of the process since its start, in MiB. */
  readonly peakMib: number;
}

/** What other clients saw during an attack. */
export interface Probes {
  readonly failures: readonly string[];
  readonly answered: number;
}

export interface WatchedService extends Service {
  readonly load: () => Promise<Load>;
  /** Sends a request on a new connection every 20 ms until `attack` is done, at least ten. */
  readonly probeWhile: (attack: () => Promise<void>) => Promise<Probes>;
  /** Returns the sum of the metrics with this name. */
  readonly metric: (name: string) => Promise<number>;
}

/** Starts a service in a process of its own that records its load. */
export async function startWatchedService(place: Workspace): Promise<WatchedService> {
  const file = join(place.base, 'load.txt');
  writeFileSync(file, '');
  const settings = { LOG_LEVEL: 'error', NODE_OPTIONS: `--import ${LOOP_DELAY}`, LOOP_DELAY_FILE: file };
  const service = await place.startService({ settings });
  const readyAt = Date.now();
  const probe = async (): Promise<void> => {
    const { status, text } = await getOnNewConnection(`${service.url}/api/v1/merchants?limit=1`, service.adminKey);
    if (status !== 200) throw new Error(`${status}: ${text}`);
  };
  return {
    ...service,
    load: async () => {
      const now = Date.now();
      const served = await waitUntil(() => {
        const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
        const found = lines.map((line) => line.split(' ').map(Number)).filter(([at = 0]) => at > readyAt);
        // The last line covers the time until now.
        return (found.at(-1)?.[0] ?? 0) > now && found;
      });
      const most = (column: number): number => Math.max(...served.map((line) => line[column] ?? 0));
      return { longestTurnMs: most(2), peakMib: most(3) };
    },
    probeWhile: async (attack) => {
      const failures: string[] = [];
      let answered = 0;
      const over = new AbortController();
      const attacked = attack().finally(() => over.abort());
      do {
        await probe().then(
          () => (answered += 1),
          (error: unknown) => failures.push(String(error)),
        );
        await pause(20);
      } while (!over.signal.aborted || failures.length + answered < 10);
      await attacked;
      return { failures, answered };
    },
    metric: async (name) => {
      const lines = (await (await service.request('/metrics')).text()).split('\n');
      return lines
        .filter((line) => line.startsWith(name))
        .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    },
  };
}

async function getOnNewConnection(url: string, key: string): Promise<{ status: number | undefined; text: string }> {
  return await new Promise((resolve, reject) => {
    const headers = { 'x-api-key': key, connection: 'close' };
    const request = get(url, { agent: false, headers, timeout: PROBE_TIMEOUT_MS }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode, text })).on('error', reject);
    });
    request
      .on('timeout', () => request.destroy(new Error(`no response within ${PROBE_TIMEOUT_MS / 1_000} s`)))
      .on('error', reject);
  });
}
