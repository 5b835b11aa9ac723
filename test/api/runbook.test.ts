import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));
const runbook = readFileSync(join(root, 'docs/runbook.md'), 'utf8');

function readSources(): readonly string[] {
  const names = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const code = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  return code.map((name) => readFileSync(join(root, 'src', name), 'utf8'));
}

/** Finds the names of metrics in the sources. */
function findDeclaredMetrics(): readonly string[] {
  const found = readSources().flatMap((text) => [...text.matchAll(/'(surety_[a-z_]+)'/g)].map(([, name = '']) => name));
  return [...new Set(found)].toSorted();
}

/** Reads the lines of the runbook that explain an address. */
function linesAbout(address: string): readonly string[] {
  const [, section = ''] = runbook.split(`## What an alert means: \`${address}\``);
  return section.split('\n## ', 1).join('').split('\n');
}

test('the runbook explains exactly the metrics that the sources declare', () => {
  const declared = findDeclaredMetrics();
  expect(declared.length).toBeGreaterThan(15);
  const explained = linesAbout('/metrics').flatMap((line) =>
    [...(line.split('|')[1] ?? '').matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name),
  );
  expect(explained.toSorted()).toEqual(declared);
});

test('the runbook has a heading for exactly the checks of /readyz, to whose anchor the status leads', () => {
  const files = [
    'service/modules/http.ts',
    'service/modules/processes.ts',
    'service/checks/readiness.ts',
    'service/observability/health-checks.ts',
    'cli/serve.ts',
  ];
  const checks = files.flatMap((file) => {
    const text = readFileSync(join(root, 'src', file), 'utf8');
    return [...text.matchAll(/(?:name: |pingCheck\()'([a-z_]+)'/g)].map(([, name = '']) => name);
  });
  const headings = linesAbout('/readyz').flatMap((line) => /^### `([a-z_]+)`$/.exec(line)?.[1] ?? []);
  expect(headings.toSorted()).toEqual([...new Set(checks)].toSorted());
  // A second heading of the same name would have another anchor.
  const all = runbook.split('\n').filter((line) => /^#+ /.test(line));
  for (const name of headings) expect(all.filter((line) => line.replace(/[#`]/g, '').trim() === name)).toHaveLength(1);
});
