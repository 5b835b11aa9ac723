import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { importClaimInput } from '#commands/claim/import-claim.ts';
import { importPolicyTermInput } from '#commands/policy/import-row.ts';
import { CLAIMS, POLICIES } from './book-file.ts';
import { type FileImport, FileStopped, type FileTally, importFile } from './import-file.ts';
import { UnreadableFile } from './read-rows.ts';
import { refusedFileOf } from './refused-file.ts';
import type { RowOutcome, ImportRow } from './import-row.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'surety-import-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const heading = 'claim_reference_number,policy_number,claim_type,incident_date,filed_on,claim_amount,claim_status';
const claimRow = (reference: string, policyNumber = 'P') =>
  `${reference},${policyNumber},fire,2026-01-01,2026-01-02,1.00,paid`;

function bookOf(text: string, importRow: ImportRow, more: Partial<FileImport> = {}): FileImport {
  const file = join(folder, 'claims.csv');
  writeFileSync(file, text);
  return {
    file,
    kind: CLAIMS,
    common: { environment_id: 7 },
    refusedFile: refusedFileOf(file, folder),
    importRow,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...more,
  };
}

const imported: RowOutcome = { kind: 'imported' };

describe('the rows of a file', () => {
  test('counts rows by outcome and writes the refused rows in order', async () => {
    const rows = ['a', 'b', 'c', 'd', 'e'].map((name) => claimRow(name));
    rows.splice(2, 0, 'x,"y, z"\n', `q,"P\n""1""",fire,2026-01-01,2026-01-02,1.00,paid`);
    const outcomes: Record<string, RowOutcome> = {
      a: { kind: 'alreadyImported' },
      b: { kind: 'refused', reason: 'policy_not_found', detail: 'There is no policy of this number' },
      q: { kind: 'refused', reason: 'policy_not_found', detail: 'There is none, "P"' },
      e: { kind: 'refused', reason: 'invalid_row', detail: 'claim_amount: must be given' },
    };
    const book = bookOf([heading, ...rows].join('\n'), async (_command, body) => {
      await turn();
      return outcomes[String(body.claim_reference_number)] ?? imported;
    });
    expect(await importFile(book)).toEqual({
      file: book.file,
      read: 7,
      imported: 2,
      alreadyImported: 1,
      refused: { policy_not_found: 2, invalid_row: 2 },
      ignoredColumns: 0,
    });
    expect(readFileSync(book.refusedFile, 'utf8')).toBe(
      [
        `line,reason,detail,${heading}`,
        `3,policy_not_found,There is no policy of this number,${claimRow('b')}`,
        '4,invalid_row,The row has 5 fields too few,x,"y, z"',
        `6,policy_not_found,"There is none, ""P""",q,"P\n""1""",fire,2026-01-01,2026-01-02,1.00,paid`,
        `10,invalid_row,claim_amount: must be given,${claimRow('e')}`,
        '',
      ].join('\n'),
    );
    expect(readdirSync(folder)).toHaveLength(2);
  });

  test('sends the columns that are not empty and the members of all rows', async () => {
    const bodies: unknown[] = [];
    const text = `\uFEFF${POLICIES.required.join(',')},risk_age,premium_fire,payment_frequency\r\nN,Motor,,A B,a@b.example,2026-01-01,2026-12-31,1.00,44,,\r\n`;
    const common = { environment_id: 7, provider_name: 'Insurer', product_type: 'Auto', currency: 'EUR' };
    const book = bookOf(
      text,
      async (command, body) => {
        bodies.push([command, body]);
        return await Promise.resolve(imported);
      },
      { kind: POLICIES, common },
    );
    await importFile(book);
    expect(bodies).toEqual([
      [
        'ImportPolicyTerm',
        {
          policy_number: 'N',
          product_name: 'Motor',
          customer_name: 'A B',
          customer_email: 'a@b.example',
          term_from: '2026-01-01',
          term_through: '2026-12-31',
          premium: '1.00',
          risk_age: '44',
          ...common,
        },
      ],
    ]);
  });

  test('refuses a row that is not UTF-8', async () => {
    const book = bookOf('', async () => await Promise.resolve(imported));
    writeFileSync(book.file, Buffer.from(`${heading}\n${claimRow('caf\xe9')}\n${claimRow('b')}\n`, 'latin1'));
    expect(await importFile(book)).toMatchObject({ imported: 1, refused: { invalid_row: 1 }, ignoredColumns: 0 });
    expect(readFileSync(book.refusedFile, 'utf8')).toContain(
      '\n2,invalid_row,claim_reference_number: must be text in UTF-8,caf',
    );
  });

  test('writes refused rows through no link that lies in their place', async () => {
    const book = bookOf('x\n', async () => await Promise.resolve(imported));
    const other = join(folder, 'other.txt');
    writeFileSync(other, 'of another user');
    symlinkSync(other, `${book.refusedFile}.partial`);
    const refused: RowOutcome = { kind: 'refused', reason: 'policy_not_found', detail: 'no' };
    await importFile(bookOf(`${heading}\n${claimRow('a')}\n`, async () => await Promise.resolve(refused)));
    expect(readFileSync(other, 'utf8')).toBe('of another user');
    expect(readFileSync(book.refusedFile, 'utf8')).toContain('policy_not_found');
    expect(lstatSync(book.refusedFile).isSymbolicLink()).toBe(false);
  });

  test('removes the refused rows of an earlier run when no row is refused', async () => {
    const book = bookOf(`${heading}\n${claimRow('a')}\n`, async () => await Promise.resolve(imported));
    writeFileSync(book.refusedFile, 'of yesterday');
    await importFile(book);
    expect(existsSync(book.refusedFile)).toBe(false);
  });

  test('keeps the order of rows with the same reference and imports few of them together', async () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => claimRow(`ref ${index % 700}`, String(index)));
    const lastOf = new Map<string, number>();
    let pending = 0;
    let most = 0;
    const book = bookOf([heading, ...rows].join('\n'), async (_command, body) => {
      const reference = String(body.claim_reference_number);
      const index = Number(body.policy_number);
      if (index <= (lastOf.get(reference) ?? -1)) throw new Error(`${reference} is out of order`);
      pending += 1;
      most = Math.max(most, pending);
      for (let turns = index % 7; turns >= 0; turns--) await turn();
      pending -= 1;
      lastOf.set(reference, index);
      return imported;
    });
    expect(await importFile(book)).toMatchObject({ read: 3_000, imported: 3_000 });
    expect(most).toBeGreaterThan(100);
    expect(most).toBeLessThanOrEqual(256);
  });

  test('imports one row after another and counts it after its commit, where a commit is given', async () => {
    const rows = Array.from({ length: 600 }, (_, index) => claimRow(`ref ${index}`, `P-${index}`));
    const started: string[] = [];
    const counted: number[] = [];
    let pending = 0;
    const importRow: ImportRow = async (_command, body) => {
      if (++pending > 1) throw new Error('two rows at once');
      started.push(String(body.policy_number));
      await turn();
      pending -= 1;
      return imported;
    };
    const committed: number[] = [];
    const commit = async () => await turn().then(() => void committed.push(started.length));
    const onProgress = ({ read }: FileTally) => void counted.push(read);
    const text = [heading, ...rows].join('\n');
    expect(await importFile(bookOf(text, importRow, { commit, onProgress }))).toMatchObject({ imported: 600 });
    expect(started).toEqual(rows.map((_, index) => `P-${index}`));
    expect(committed).toEqual([256, 512, 600]);
    expect(counted).toEqual(committed);
    const failing = async () => await (committed.push(0) > 4 ? Promise.reject(new Error('full')) : Promise.resolve());
    const stopped = await importFile(bookOf(text, importRow, { commit: failing })).catch((error: unknown) => error);
    expect((stopped as FileStopped).tally.imported).toBe(256);
    expect((stopped as FileStopped).cause).toMatchObject({ message: 'full' });
  });

  test('imports the first row of a customer before the others, and these concurrently, each policy in its order', async () => {
    const POLICY_COUNT = 400;
    const rows = Array.from({ length: 3_000 }, (_, row) => {
      const email = row % 3 === 0 ? `other-${row}@b.example` : 'Fleet@b.example';
      return `P-${row % POLICY_COUNT},Motor ${row % 2},C-1,A B,${email},2026-01-01,2026-12-31,${row}.00`;
    });
    const lastOf = new Map<string, number>();
    const started: number[] = [];
    let pending = 0;
    let most = 0;
    const text = [POLICIES.required.join(','), ...rows].join('\n');
    const book = bookOf(
      text,
      async (_command, body) => {
        const [number, row] = [String(body.policy_number), Number(body.premium)];
        if (row <= (lastOf.get(number) ?? -1)) throw new Error(`${number} is out of order`);
        if (row % 3 !== 0) {
          if (pending > 0 && started.length === 1) throw new Error('the first row of the customer had not ended');
          started.push(row);
          pending += 1;
          most = Math.max(most, pending);
        }
        for (let turns = row % 7; turns >= 0; turns--) await turn();
        if (row % 3 !== 0) pending -= 1;
        lastOf.set(number, row);
        return imported;
      },
      { kind: POLICIES },
    );
    expect(await importFile(book)).toMatchObject({ read: 3_000, imported: 3_000 });
    expect(started[0]).toBe(1);
    expect(most).toBeGreaterThan(50);
  });
});

describe('the detail of a refused row', () => {
  test.each([
    ['x,y', 'The row has 5 fields too few'],
    [`${claimRow('a')},,`, 'The row has 2 fields too many'],
    [`${claimRow('a')},`, 'The row has 1 field too many'],
  ])('of %s is "%s"', async (row, detail) => {
    const book = bookOf(`${heading}\n${row}\n`, async () => await Promise.resolve(imported));
    await importFile(book);
    expect(readFileSync(book.refusedFile, 'utf8')).toBe(
      `line,reason,detail,${heading}\n2,invalid_row,${detail},${row}\n`,
    );
  });

  test('is one line of at most 500 characters', async () => {
    const detail = `a\r\nb\t${'🙂'.repeat(600)}`;
    const book = bookOf(
      `${heading}\n${claimRow('a')}\n`,
      async () => await Promise.resolve({ kind: 'refused', reason: 'invalid_row', detail }),
    );
    await importFile(book);
    const detailWritten = readFileSync(book.refusedFile, 'utf8').split('\n')[1]?.split(',')[2] ?? '';
    expect(detailWritten).toBe(`a b ${'🙂'.repeat(247)}…`);
    expect(detailWritten.length).toBeLessThanOrEqual(500);
  });
});

describe('a corrected file of refused rows', () => {
  test.each([
    ['line, reason and detail', 'line,reason,detail,', '17,invalid_row,"caf\uFFFD, no",'],
    ['line and reason', 'line,reason,', '17,invalid_row,'],
    ['emptied ones', 'line,reason,detail,', ',,,'],
  ])('ignores %s in front and reports the lines of this file', async (_case, names, cells) => {
    const bodies: unknown[] = [];
    const text = `${names}${heading}\n${cells}${claimRow('a')}\n\n${cells}${claimRow('b')}\n${cells}x,y\n`;
    const book = bookOf(text, async (_command, body) => {
      bodies.push(body);
      const refused: RowOutcome = { kind: 'refused', reason: 'policy_not_found', detail: 'no' };
      return await Promise.resolve(body.claim_reference_number === 'b' ? refused : imported);
    });
    expect(await importFile(book)).toMatchObject({
      imported: 1,
      refused: { policy_not_found: 1, invalid_row: 1 },
      ignoredColumns: 0,
    });
    expect(bodies[0]).toEqual({
      claim_reference_number: 'a',
      policy_number: 'P',
      claim_type: 'fire',
      incident_date: '2026-01-01',
      filed_on: '2026-01-02',
      claim_amount: '1.00',
      claim_status: 'paid',
      environment_id: 7,
    });
    expect(readFileSync(book.refusedFile, 'utf8')).toBe(
      [
        `line,reason,detail,${heading}`,
        `4,policy_not_found,no,${claimRow('b')}`,
        '5,invalid_row,The row has 5 fields too few,x,y',
        '',
      ].join('\n'),
    );
  });

  test('ignores the columns at other places', async () => {
    const book = bookOf(`reason,${heading},line\n?,${claimRow('a')},2\n`, async (_command, body) => {
      expect(Object.keys(body)).toEqual([...heading.split(','), 'environment_id']);
      return await Promise.resolve(imported);
    });
    expect(await importFile(book)).toMatchObject({ imported: 1 });
  });
});

describe('an import that stops', () => {
  test.each([
    ['an empty file', '', /claims\.csv: line 1: the file is empty; it must begin with a heading\.$/],
    [
      'a missing column',
      'policy_number\n',
      /line 1: the heading lacks the columns "claim_reference_number", .* and 1 more/,
    ],
    [
      'an unknown column',
      `${heading},clam\n`,
      /the heading has the column "clam", which a file of claims does not have/,
    ],
    ['a line without a reason', `line,detail,${heading}\n`, /the heading has the columns "line", "detail", which/],
    ['a detail alone', `detail,${heading}\n`, /the heading has the column "detail", which a file of claims does not/],
    ['a line twice', `line,line,reason,${heading}\n`, /names the column "line" more than once/],
    ['a column twice', `${heading},resolved_on,resolved_on\n`, /names the column "resolved_on" more than once/],
  ])('imports nothing of %s', async (_case, text, sentence) => {
    const book = bookOf(text, async () => await Promise.reject(new Error('a row was imported')));
    await expect(importFile(book)).rejects.toThrow(UnreadableFile);
    await expect(importFile(book)).rejects.toThrow(sentence);
  });

  test('imports no more rows after a failure and counts those of the batch', async () => {
    const rows = Array.from({ length: 2_000 }, (_, index) => claimRow(`ref ${index}`));
    let started = 0;
    const book = bookOf([heading, ...rows].join('\n'), async () => {
      started += 1;
      const mine = started;
      await turn();
      if (mine === 50) throw new Error('the disk is full');
      return imported;
    });
    const stopped = await importFile(book).catch((error: unknown) => error);
    expect(stopped).toBeInstanceOf(FileStopped);
    expect((stopped as FileStopped).cause).toMatchObject({ message: 'the disk is full' });
    expect((stopped as FileStopped).tally.imported).toBe(started - 1);
    expect(started).toBeLessThan(600);
  });

  test.each([
    ['of the refused rows cannot be opened', [claimRow('refused'), claimRow('b')], { read: 2, imported: 1 }],
    ['that an earlier run left cannot be removed', [claimRow('a'), claimRow('b')], { read: 2, imported: 2 }],
  ])('reports a file %s and counts the rows', async (_case, rows, counts) => {
    const importRow: ImportRow = async (_command, { claim_reference_number: reference }) => {
      await turn();
      return reference === 'refused' ? { kind: 'refused', reason: 'policy_not_found', detail: 'no' } : imported;
    };
    const refusedFile = join(folder, 'no-folder', 'claims.csv.refused.csv');
    writeFileSync(join(folder, 'no-folder'), '');
    const book = bookOf([heading, ...rows].join('\n'), importRow, { refusedFile });
    const stopped = await importFile(book).catch((error: unknown) => error);
    expect(stopped).toBeInstanceOf(FileStopped);
    expect((stopped as FileStopped).tally).toMatchObject(counts);
    expect((stopped as FileStopped).cause).toMatchObject({ name: 'UnwritableFile' });
    expect(((stopped as FileStopped).cause as Error).message.startsWith(`${refusedFile} cannot be written: `)).toBe(
      true,
    );
  });

  test('imports every row before a broken line', async () => {
    const text = `${heading}\n${claimRow('a')}\n${claimRow('b')}\nc,"broken"here\n`;
    const book = bookOf(text, async (_command, { claim_reference_number: reference }) => {
      await turn();
      return reference === 'b' ? { kind: 'refused', reason: 'policy_not_found', detail: 'no' } : imported;
    });
    const stopped = await importFile(book).catch((error: unknown) => error);
    expect((stopped as FileStopped).tally).toMatchObject({
      read: 2,
      imported: 1,
      refused: { policy_not_found: 1 },
      ignoredColumns: 0,
    });
    expect((stopped as FileStopped).cause).toBeInstanceOf(UnreadableFile);
    expect(readFileSync(book.refusedFile, 'utf8')).toContain('3,policy_not_found,no,b,');
  });

  test('finishes the rows of the batch when it is aborted', async () => {
    const abortion = new AbortController();
    const rows = Array.from({ length: 5_000 }, (_, index) => claimRow(`ref ${index}`));
    let ended = 0;
    const book = bookOf(
      [heading, ...rows].join('\n'),
      async () => {
        await turn();
        if (++ended === 100) abortion.abort();
        return imported;
      },
      { signal: abortion.signal },
    );
    const tally = await importFile(book);
    expect(tally.imported).toBe(ended);
    expect(ended).toBeLessThan(600);
  });
});

test('A file may have every column of the command, and columns x_ that are ignored, counted and kept with refused rows', async () => {
  const ofFile = [...POLICIES.required, ...POLICIES.optional];
  const given = ['provider_name', 'product_type', 'currency', 'environment_id'];
  expect(new Set([...ofFile, ...given])).toEqual(
    new Set([...Object.keys(importPolicyTermInput.shape), 'environment_id']),
  );
  const claims = [...CLAIMS.required, ...CLAIMS.optional, 'environment_id'];
  expect(new Set(claims)).toEqual(new Set([...Object.keys(importClaimInput.shape), 'environment_id']));
  const bodies: object[] = [];
  const book = bookOf(`${heading},x_note,x_colour\n${claimRow('a')},my note,red\n`, async (_command, body) => {
    bodies.push(body);
    return await Promise.resolve({ kind: 'refused', reason: 'policy_not_found', detail: 'There is none' });
  });
  expect(await importFile(book)).toMatchObject({ read: 1, ignoredColumns: 2 });
  expect(Object.keys(bodies[0] ?? {}).filter((name) => name.startsWith('x_'))).toEqual([]);
  expect(readFileSync(book.refusedFile, 'utf8')).toContain('my note,red');
});
