import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ApiService, startApiService } from '../support/api-service.ts';

const pathFromRoot = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

let service: ApiService;
let folder: string;

beforeAll(async () => {
  service = await startApiService();
  folder = mkdtempSync(join(tmpdir(), 'surety-lint-'));
});

afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('the OpenAPI document passes the rules of redocly.yaml without errors or warnings', async () => {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, (await service.send('GET', '/openapi.json')).text);
  const words = ['lint', file, '--config', pathFromRoot('redocly.yaml'), '--format', 'json'];
  const run = spawnSync(process.execPath, [pathFromRoot('node_modules/@redocly/cli/bin/cli.js'), ...words], {
    encoding: 'utf8',
    cwd: folder,
    // Redocly would check for updates and send usage data.
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' },
  });
  const { totals, problems } = JSON.parse(run.stdout.slice(run.stdout.indexOf('{'))) as {
    totals: { errors: number; warnings: number };
    problems: { ruleId: string; message: string; location: unknown }[];
  };
  expect(problems.map(({ ruleId, message, location }) => ({ ruleId, message, location }))).toEqual([]);
  expect(totals).toMatchObject({ errors: 0, warnings: 0 });
  expect(run.status).toBe(0);
});
