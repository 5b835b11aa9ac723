import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { runSurety, type Service } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';
import { useWorkspace } from '../support/workspace.ts';

const READERS = 64;
const WRITERS = 2;
const PROVIDERS = 2_000;

const place = useWorkspace();
const quietly = { settings: { LOG_LEVEL: 'error' } };

const nameOf = (number: number): string => `Assurance ${createHash('sha256').update(String(number)).digest('hex')}`;

async function register(service: Service, number: number): Promise<string> {
  const body = { name: nameOf(number), support_email: `${number}@providers.example`, support_phone: '+1' };
  const response = await service.command('RegisterProvider', body, `provider ${number}`);
  const text = await response.text();
  if (response.status > 201) throw new Error(`RegisterProvider: ${response.status} ${text}`);
  return (JSON.parse(text) as { result: { provider_id: string } }).result.provider_id;
}

interface Rebuild {
  readonly rebuild_id: string;
  readonly state: string;
}

async function requestRebuild(service: Service): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const response = await service.request('/api/v1/admin/rebuilds/', { method: 'POST', body: '{}', headers });
  expect(response.status).toBe(202);
  return ((await response.json()) as Rebuild).rebuild_id;
}

const get = async (service: Service, id: string): Promise<Rebuild> =>
  (await (await service.request(`/api/v1/admin/rebuilds/${id}/`)).json()) as Rebuild;

/** Requests a rebuild, and waits until it has begun: the file of another generation is there. */
async function beginRebuild(service: Service): Promise<string> {
  const files = async (): Promise<number> =>
    (await readdir(place.folder)).filter((name) => /^read-models-.*\.db$/.test(name)).length;
  const before = await files();
  const id = await requestRebuild(service);
  await waitUntil(async () => (await files()) > before);
  return id;
}

async function waitForEnd(service: Service, id: string): Promise<string> {
  return await waitUntil(async () => {
    const { state } = await get(service, id);
    return state !== 'running' && state;
  });
}

/**
 * Reads acknowledged providers by 64 readers, and registers new ones, until the work ends. Returns the wrong answers.
 */
async function whileUsed(service: Service, known: Set<number>, work: () => Promise<void>): Promise<string[]> {
  const wrong: string[] = [];
  const ended = new AbortController();
  let reads = 0;
  const read = async (reader: number): Promise<void> => {
    for (let turn = reader; !ended.signal.aborted; turn += READERS) {
      const all = [...known];
      const name = nameOf(all[(turn * 7919) % all.length] ?? 0);
      const path = `/api/v1/providers/search?name=${encodeURIComponent(name)}`;
      // A killed service does not answer.
      const response = await service.request(path).catch(() => undefined);
      const text = await response?.text().catch(() => undefined);
      if (response === undefined || text === undefined) return;
      reads += 1;
      if (response.status !== 503 && !text.includes(name)) wrong.push(`${name}: ${response.status} ${text}`);
    }
  };
  const write = async (writer: number): Promise<void> => {
    for (let number = Math.max(...known) + 1 + writer; !ended.signal.aborted; number += WRITERS) {
      const isRegistered = await register(service, number).then(
        () => true,
        () => false,
      );
      if (!isRegistered) return;
      known.add(number);
    }
  };
  const users = [
    ...Array.from({ length: READERS }, async (_, reader) => await read(reader)),
    ...Array.from({ length: WRITERS }, async (_, writer) => await write(writer)),
  ];
  await work();
  ended.abort();
  await Promise.all(users);
  expect(reads).toBeGreaterThanOrEqual(READERS);
  return wrong;
}

describe('a rebuild beside a running service', () => {
  test('every read is right while it runs, is killed and continues', async () => {
    const first = await place.startService(quietly);
    const known = new Set<number>();
    for (let from = 0; from < PROVIDERS; from += 50) {
      const numbers = Array.from({ length: 50 }, (_, index) => from + index);
      await Promise.all(numbers.map(async (number) => await register(first, number)));
      for (const number of numbers) known.add(number);
    }
    let id = '';
    const beforeKill = await whileUsed(first, known, async () => {
      expect(await waitForEnd(first, await requestRebuild(first))).toBe('completed');
      id = await beginRebuild(first);
      await first.process.kill();
    });
    expect(beforeKill).toEqual([]);
    const second = await place.startService(quietly);
    const afterKill = await whileUsed(second, known, async () => {
      expect(await waitForEnd(second, id)).toBe('completed');
      expect(await waitForEnd(second, await requestRebuild(second))).toBe('completed');
    });
    expect(afterKill).toEqual([]);
    await second.process.stop();
    expect(await runSurety(['verify'], { folder: place.folder })).toMatchObject({ code: 0 });
  });

  test('surety rebuild rebuilds a folder, or through a service', async () => {
    const service = await place.startService(quietly);
    await register(service, 1);
    const { folder } = place;
    const over = await runSurety(['rebuild', '--json', '--url', service.url], { folder });
    expect(over).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(over.stdout)).toMatchObject({ state: 'completed', reason: null });
    const found = await runSurety(['rebuild', '--json'], { folder });
    expect(JSON.parse(found.stdout)).toMatchObject({ state: 'completed' });
    await service.process.stop();
    const alone = await runSurety(['rebuild'], { folder });
    expect(alone).toMatchObject({ code: 0, stderr: '' });
    expect(alone.stdout).toMatch(/^Rebuilt the read models in \d+\.\d s\.\n$/);
    expect(await runSurety(['verify'], { folder })).toMatchObject({ code: 0 });
  });
});
