import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { type Service, startService } from '../support/service-process.ts';
import { canFollow, differences, follow, matches, tutorialFor } from '../support/tutorial.ts';

let folder: string | undefined;
let service: Service | undefined;

afterEach(async () => {
  await service?.process.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

/** The test is skipped where it cannot be followed, and its name says why. */
const followed = canFollow() ? test : test.skip;

followed(
  'given docs/tutorial.md, a shell and curl, when its commands are run by a shell, then each shows what the page shows',
  async () => {
    folder = mkdtempSync(join(tmpdir(), 'surety-tutorial-'));
    service = await startService({ folder: join(folder, 'data'), words: ['--sample'] });
    expect(await follow(tutorialFor(service.url), folder)).toEqual([]);
  },
);

test('given what differs from what is shown, then the comparison finds it', () => {
  expect(differences({ a: 'x…', b: ['1', '…'], '…': '…' }, { a: 'xyz', b: ['1', '2', '3'], c: 0 })).toEqual([]);
  expect(differences({ a: 'x…' }, { a: 'y', c: 0 })).toEqual(['/c is not shown', '/a is "y"']);
  expect(differences({ a: '…', b: [1] }, { b: [1, 2] })).toEqual(['/a is not there', '/b has 2 items']);
  expect(differences({ a: null, b: {} }, undefined)).toEqual([' is no object']);
  expect([matches('a.…', 'a.b\nc'), matches('a.…', 'ab')]).toEqual([true, false]);
});
