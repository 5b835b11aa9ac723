import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { startSuiteService } from '../support/suite-service.ts';
import { documentOfClient } from './api-document.ts';

const pathOf = (name: string): string => fileURLToPath(new URL(`../../clients/typescript/${name}`, import.meta.url));

const service = await startSuiteService();

test('the types of the client are those of the API document and the public events (WRITE_DOCS=1 writes them)', async () => {
  const { json } = await service.send('GET', '/openapi.json');
  const input = JSON.stringify(documentOfClient(json));
  const { status, stdout, stderr } = spawnSync(process.execPath, [pathOf('generate.mjs')], { input, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  if (process.env['WRITE_DOCS'] === '1') writeFileSync(pathOf('src/api-types.ts'), stdout);
  expect(readFileSync(pathOf('src/api-types.ts'), 'utf8')).toBe(stdout);
});
