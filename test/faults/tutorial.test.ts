import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { type Service, startService } from '../support/service-process.ts';
import { canRunShell, differences, runTutorial, matchesPattern, tutorialFor } from '../support/tutorial.ts';

let folder: string | undefined;
let service: Service | undefined;

afterEach(async () => {
  await service?.process.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

/** The test is skipped without a shell and curl; its title gives the reason. */
const followed = canRunShell() ? test : test.skip;

followed('the commands of docs/tutorial.md give the output that the page shows', async () => {
  folder = mkdtempSync(join(tmpdir(), 'surety-tutorial-'));
  service = await startService({ folder: join(folder, 'data'), words: ['--sample'] });
  // For npx the folder is a clone.
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  symlinkSync(resolve('bin/surety.mjs'), join(folder, 'node_modules/.bin/surety'));
  symlinkSync(resolve('clients/typescript'), join(folder, 'node_modules/surety-client'));
  expect(await runTutorial(tutorialFor(service.url), folder)).toEqual([]);
});

test('the comparison finds differences from the page', () => {
  expect(differences({ a: 'x…', b: ['1', '…'], '…': '…' }, { a: 'xyz', b: ['1', '2', '3'], c: 0 })).toEqual([]);
  expect(differences({ a: 'x…' }, { a: 'y', c: 0 })).toEqual(['/c is not shown', '/a is "y"']);
  expect(differences({ a: '…', b: [1] }, { b: [1, 2] })).toEqual(['/a is missing', '/b has 2 items']);
  expect(differences({ a: null, b: {} }, undefined)).toEqual([' is not an object']);
  expect([matchesPattern('a.…', 'a.b\nc'), matchesPattern('a.…', 'ab')]).toEqual([true, false]);
});
