import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { SuretyClient } from '#client/index.ts';
import { startSuiteService } from '../support/suite-service.ts';

const dist = fileURLToPath(new URL('../../clients/typescript/dist/', import.meta.url));
const build = fileURLToPath(new URL('../../tools/build.mjs', import.meta.url));
const PARAMETER = 'PARAMETER';

const service = await startSuiteService();

type Method = (...words: readonly unknown[]) => unknown;

/** Returns the names of the methods of a group of operations. */
function methodsOf(group: object): readonly string[] {
  const prototype = Object.getPrototypeOf(group) as object;
  if (prototype === Object.prototype) return Object.keys(group);
  return Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor');
}

/** Calls every method of the client, with the same text for every parameter, and returns the requests. */
async function requestsOfAllMethods(): Promise<readonly string[]> {
  const requests: string[] = [];
  const client = new SuretyClient({
    url: 'http://service.example',
    key: 'key',
    fetch: async (url, init) => {
      const path = new URL(url).pathname;
      requests.push(`${init.method} ${path.replaceAll(PARAMETER, '{}')}`);
      return new Response(path === '/api/v1/events/' ? '[]' : '{"results":[],"next":null}');
    },
  });
  for (const group of [client, ...(Object.values(client) as object[])]) {
    for (const name of methodsOf(group)) {
      const outcome = (group as Record<string, Method>)[name]?.(PARAMETER, PARAMETER);
      if (typeof outcome === 'object' && outcome !== null && Symbol.asyncIterator in outcome)
        await (outcome as AsyncGenerator).next();
      else await outcome;
    }
  }
  return requests;
}

test('every operation under /api/ has its method', async () => {
  const { json } = await service.send('GET', '/openapi.json');
  const operations = Object.entries(json.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`),
  );
  const requests = new Set(await requestsOfAllMethods());
  expect([...requests].toSorted()).toEqual(operations.filter((one) => / \/(api\/|openapi\.json)/.test(one)).toSorted());
});

test('the JavaScript has at most 20 kB, compressed', () => {
  expect(spawnSync(process.execPath, [build], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  expect(files).toContain('index.js');
  const sizes = files.map((name) => gzipSync(readFileSync(join(dist, name))).length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(20_000);
});
