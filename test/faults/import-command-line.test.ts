import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SMALL_BOOK } from '../book/books.ts';
import { createEnvironment, importBook, importWords } from '../book/import-process.ts';
import { readTotals, logPosition } from '../book/stores.ts';
import { cleanUp, type ProcessResult, runSurety, SuretyProcess, temporaryFolder } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

let base: string;
let folder: string;
let environmentId: number;

beforeAll(async () => {
  base = temporaryFolder();
  folder = join(base, 'data');
  environmentId = await createEnvironment(folder);
});
afterAll(async () => await cleanUp(base, []));

const heading =
  'policy_number,product_name,customer_reference,customer_name,customer_email,term_from,term_through,premium';
const row = (number: string) => `${number},Motor,C1,Ada Obi,ada@customers.example,2025-01-01,2025-12-31,100.00`;

function fileOf(name: string, content: string | Uint8Array): string {
  const file = join(base, name);
  writeFileSync(file, content);
  return file;
}

async function runImport(...words: readonly string[]): Promise<ProcessResult> {
  return await runSurety(['import', '--environment', String(environmentId), '--provider', 'Assurance', ...words], {
    folder,
    workingFolder: base,
  });
}

/** Where the next start of the service looks for unfinished commands. */
function completionCheckpoint(): unknown {
  const database = new DatabaseSync(join(folder, 'records.db'), { readOnly: true });
  try {
    const row = database.prepare("SELECT value FROM named_values WHERE name = 'completion-checkpoint'").get();
    return JSON.parse(String(row?.['value']));
  } finally {
    database.close();
  }
}

describe('an unreadable file', () => {
  test.each([
    ['a missing column', 'missing.csv', 'policy_number\n', 'line 1: the heading lacks the columns "product_name",'],
    ['broken gzip', 'broken.csv.gz', gzipSync(`${heading}\n`).subarray(0, 30), 'the gzip data is broken'],
  ])('imports nothing of %s and names file and error', async (_case, name, content, fault) => {
    const file = content === undefined ? join(base, name) : fileOf(name, content);
    const before = logPosition(folder);
    const { code, stdout, stderr } = await runImport(file);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.startsWith(`${file}: ${fault}`)).toBe(true);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(logPosition(folder)).toBe(before);
  });

  test('imports no policies when the claims file is invalid', async () => {
    const policies = fileOf('fine.csv', `${heading}\n${row('NEVER-1')}\n`);
    const before = logPosition(folder);
    expect(await runImport(policies, fileOf('bad-claims.csv', 'policy_number\n'))).toMatchObject({
      code: 1,
      stdout: '',
    });
    expect(logPosition(folder)).toBe(before);
  });

  test('imports the rows before an unclosed quote and names its line', async () => {
    const file = fileOf('quote.csv', `${heading}\n${row('QUOTE-1')}\n${row('QUOTE-2')}\n"QUOTE-3,${row('')}\n`);
    const { code, stdout, stderr } = await runImport(file, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ files: [{ file, read: 2, taken: 2 }] });
    expect(stderr).toBe(
      `${file}: in the record that begins on line 4, a quote is never closed. Imported rows stay imported; run the same command again to continue.\n`,
    );
  });
});

describe('the outcome of an import', () => {
  test('exits with 0 and a table for refused rows, and with 1 with --strict', async () => {
    const file = fileOf('some.csv', `${heading}\n${row('SOME-1')}\n${row('SOME-2').replace('100.00', 'much')}\n`);
    const first = await runImport(file);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout.split('\n').slice(0, 3)).toEqual([
      'file           read  taken  already there  refused',
      'some.csv          2      1              0        1',
      '  invalid_row                                    1',
    ]);
    expect(first.stdout).toMatch(/\n2 rows in \d+\.\d s, \d+ rows a second\n$/);
    expect(existsSync(join(base, 'some.csv.refused.csv'))).toBe(true);
    expect(completionCheckpoint()).toEqual({
      after: expect.stringMatching(new RegExp(`^${logPosition(folder)} [0-9a-f-]{36}$`)),
      givenUp: [],
    });
    expect(await runImport(file, '--strict', '--json')).toMatchObject({ code: 1 });
  });

  test('reports an unknown environment', async () => {
    const words = ['import', '--environment', '99', '--provider', 'X', fileOf('none.csv', `${heading}\n`)];
    expect(await runSurety(words, { folder })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'There is no environment 99; create it with the command CreateEnvironment.\n',
    });
  });

  test('stops cleanly on Ctrl-C and continues when it is run again', async () => {
    const refusedFolder = join(base, 'interrupted');
    const words = importWords(SMALL_BOOK, { refusedFolder, environmentId });
    const before = logPosition(folder);
    const importing = new SuretyProcess(words, { folder });
    await waitUntil(() => !importing.isRunning || logPosition(folder) >= before + 600);
    const { code, stdout, stderr } = await importing.stop('SIGINT');
    expect({ code, stderr }).toEqual({
      code: 130,
      stderr: 'The import was interrupted. Imported rows stay imported; run the same command again to continue.\n',
    });
    const [interrupted] = (JSON.parse(stdout) as { files: { read: number; taken: number }[] }).files;
    expect(interrupted?.taken).toBeGreaterThan(0);
    const rest = await importBook(SMALL_BOOK, { folder, refusedFolder, environmentId });
    expect(rest.files[0]?.already).toBe((interrupted?.taken ?? 0) + SMALL_BOOK.policiesTotals.already);
    expect((await readTotals(folder)).claimsByType).toEqual(SMALL_BOOK.totals.claimsByType);
    expect(readdirSync(refusedFolder).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });
});
