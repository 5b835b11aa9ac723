import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import { type Service, startService } from '../support/service-process.ts';
import { differences, matches, stepsOf } from '../support/tutorial.ts';

const WRITTEN_URL = 'http://127.0.0.1:3000';
/** Stands between the outputs of two steps. */
const BORDER = '-----border-----';

let folder: string | undefined;
let service: Service | undefined;

afterEach(async () => {
  await service?.process.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

/** Without a shell and curl nobody can follow the page; the test is then skipped, and its name says why. */
const canFollow = ['sh', 'curl'].every((tool) => spawnSync(tool, ['-c', 'true']).error === undefined);
const followed = canFollow ? test : test.skip;

followed(
  'given docs/tutorial.md, a shell and curl, when its commands are run by a shell, then each shows what the page shows',
  async () => {
    folder = mkdtempSync(join(tmpdir(), 'surety-tutorial-'));
    service = await startService({ folder: join(folder, 'data'), words: ['--sample'] });
    const page = readFileSync(fileURLToPath(new URL('../../docs/tutorial.md', import.meta.url)), 'utf8');
    const steps = stepsOf(page.replaceAll(WRITTEN_URL, service.url));
    const script = steps.map(({ commands }) => `${commands}\necho; echo ${BORDER}\n`).join('');
    const run = spawnSync('sh', ['-u'], { input: script, cwd: folder, encoding: 'utf8', timeout: 60_000 });
    const outputs = run.stdout.split(`${BORDER}\n`);
    for (const [index, { heading, commands, shown }] of steps.entries()) {
      const output = (outputs[index] ?? '').trim();
      const told = `${heading}\n${commands}\n${output}\n${run.stderr}`;
      if (shown === undefined) expect([told, output]).toEqual([told, '']);
      else if (shown.kind === 'text') expect([told, matches(shown.text, output)]).toEqual([told, true]);
      else expect([told, differences(JSON.parse(shown.text), parsed(output))]).toEqual([told, []]);
    }
    expect(run.stderr).toBe('');
  },
);

test('given what differs from what is shown, then the comparison finds it', () => {
  expect(differences({ a: 'x…', b: ['1', '…'], '…': '…' }, { a: 'xyz', b: ['1', '2', '3'], c: 0 })).toEqual([]);
  expect(differences({ a: 'x…' }, { a: 'y', c: 0 })).toEqual(['/c is not shown', '/a is "y"']);
  expect(differences({ a: '…', b: [1] }, { b: [1, 2] })).toEqual(['/a is not there', '/b has 2 items']);
  expect(differences({ a: null, b: {} }, undefined)).toEqual([' is no object']);
  expect([matches('a.…', 'a.b\nc'), matches('a.…', 'ab')]).toEqual([true, false]);
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
