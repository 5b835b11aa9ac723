import { mkdtempSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { CLAIMS, POLICIES } from './book-file.ts';
import { type FileImport, FileStopped, importFile } from './import-file.ts';
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

function bookOf(text: string, take: ImportRow, more: Partial<FileImport> = {}): FileImport {
  const file = join(folder, 'claims.csv');
  writeFileSync(file, text);
  return {
    file,
    kind: CLAIMS,
    common: { environment_id: 7 },
    refusedFile: refusedFileOf(file, folder),
    take,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...more,
  };
}

const taken: RowOutcome = { kind: 'taken' };

describe('the rows of a file', () => {
  test('given rows of every outcome, then each is counted and the refused ones are written down in order', async () => {
    const rows = ['a', 'b', 'c', 'd', 'e'].map((name) => claimRow(name));
    rows.splice(2, 0, 'x,"y, z"\n', `q,"P\n""1""",fire,2026-01-01,2026-01-02,1.00,paid`);
    const outcomes: Record<string, RowOutcome> = {
      a: { kind: 'already' },
      b: { kind: 'refused', reason: 'policy_not_found', detail: 'There is no policy of this number' },
      q: { kind: 'refused', reason: 'policy_not_found', detail: 'There is none, "P"' },
      e: { kind: 'refused', reason: 'invalid_row', detail: 'claim_amount: must be given' },
    };
    const book = bookOf([heading, ...rows].join('\n'), async (_command, body) => {
      await turn();
      return outcomes[String(body.claim_reference_number)] ?? taken;
    });
    expect(await importFile(book)).toEqual({
      file: book.file,
      read: 7,
      taken: 2,
      already: 1,
      refused: { policy_not_found: 2, invalid_row: 2 },
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

  test('then the command has the columns that say something and what all rows have in common', async () => {
    const bodies: unknown[] = [];
    const text = `\uFEFF${POLICIES.required.join(',')},risk_age,premium_fire,payment_frequency\r\nN,Motor,,A B,a@b.example,2026-01-01,2026-12-31,1.00,44,,\r\n`;
    const common = { environment_id: 7, provider_name: 'Insurer', product_type: 'Auto', currency: 'EUR' };
    const book = bookOf(
      text,
      async (command, body) => {
        bodies.push([command, body]);
        return await Promise.resolve(taken);
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

  test('given text that is not UTF-8, then its row is refused', async () => {
    const book = bookOf('', async () => await Promise.resolve(taken));
    writeFileSync(book.file, Buffer.from(`${heading}\n${claimRow('caf\xe9')}\n${claimRow('b')}\n`, 'latin1'));
    expect(await importFile(book)).toMatchObject({ taken: 1, refused: { invalid_row: 1 } });
    expect(readFileSync(book.refusedFile, 'utf8')).toContain(
      '\n2,invalid_row,claim_reference_number: must be text in UTF-8,caf',
    );
  });

  test('given nothing is refused, then what an earlier run refused is gone', async () => {
    const book = bookOf(`${heading}\n${claimRow('a')}\n`, async () => await Promise.resolve(taken));
    writeFileSync(book.refusedFile, 'of yesterday');
    await importFile(book);
    expect(existsSync(book.refusedFile)).toBe(false);
  });

  test('given many rows of few references, then those of one reference stay in order and a bounded number is under way', async () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => claimRow(`ref ${index % 700}`, String(index)));
    const lastOf = new Map<string, number>();
    let underWay = 0;
    let most = 0;
    const book = bookOf([heading, ...rows].join('\n'), async (_command, body) => {
      const reference = String(body.claim_reference_number);
      const index = Number(body.policy_number);
      if (index <= (lastOf.get(reference) ?? -1)) throw new Error(`${reference} is out of order`);
      underWay += 1;
      most = Math.max(most, underWay);
      for (let turns = index % 7; turns >= 0; turns--) await turn();
      underWay -= 1;
      lastOf.set(reference, index);
      return taken;
    });
    expect(await importFile(book)).toMatchObject({ read: 3_000, taken: 3_000 });
    expect(most).toBeGreaterThan(100);
    expect(most).toBeLessThanOrEqual(256);
  });
});

describe('what is told of a refused row', () => {
  test.each([
    ['x,y', 'The row has 5 fields too few'],
    [`${claimRow('a')},,`, 'The row has 2 fields too many'],
    [`${claimRow('a')},`, 'The row has 1 field too many'],
  ])('given the row %s, then by how many fields it is wrong', async (row, detail) => {
    const book = bookOf(`${heading}\n${row}\n`, async () => await Promise.resolve(taken));
    await importFile(book);
    expect(readFileSync(book.refusedFile, 'utf8')).toBe(
      `line,reason,detail,${heading}\n2,invalid_row,${detail},${row}\n`,
    );
  });

  test('given very much, in several lines, then it is one line of 500 characters at most', async () => {
    const detail = `a\r\nb\t${'🙂'.repeat(600)}`;
    const book = bookOf(
      `${heading}\n${claimRow('a')}\n`,
      async () => await Promise.resolve({ kind: 'refused', reason: 'invalid_row', detail }),
    );
    await importFile(book);
    const told = readFileSync(book.refusedFile, 'utf8').split('\n')[1]?.split(',')[2] ?? '';
    expect(told).toBe(`a b ${'🙂'.repeat(247)}…`);
    expect(told.length).toBeLessThanOrEqual(500);
  });
});

describe('a file of refused rows that comes back', () => {
  test.each([
    ['line, reason and detail', 'line,reason,detail,', '17,invalid_row,"caf\uFFFD, no",'],
    ['line and reason', 'line,reason,', '17,invalid_row,'],
    ['emptied ones', 'line,reason,detail,', ',,,'],
  ])('given %s in front, then they are left out, and its own lines are told', async (_case, names, cells) => {
    const bodies: unknown[] = [];
    const text = `${names}${heading}\n${cells}${claimRow('a')}\n\n${cells}${claimRow('b')}\n${cells}x,y\n`;
    const book = bookOf(text, async (_command, body) => {
      bodies.push(body);
      const no: RowOutcome = { kind: 'refused', reason: 'policy_not_found', detail: 'no' };
      return await Promise.resolve(body.claim_reference_number === 'b' ? no : taken);
    });
    expect(await importFile(book)).toMatchObject({ taken: 1, refused: { policy_not_found: 1, invalid_row: 1 } });
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

  test('given the columns elsewhere, then they are left out too', async () => {
    const book = bookOf(`reason,${heading},line\n?,${claimRow('a')},2\n`, async (_command, body) => {
      expect(Object.keys(body)).toEqual([...heading.split(','), 'environment_id']);
      return await Promise.resolve(taken);
    });
    expect(await importFile(book)).toMatchObject({ taken: 1 });
  });
});

describe('an import that cannot go on', () => {
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
  ])('given %s, then nothing begins', async (_case, text, sentence) => {
    const book = bookOf(text, async () => await Promise.reject(new Error('a row began')));
    await expect(importFile(book)).rejects.toThrow(UnreadableFile);
    await expect(importFile(book)).rejects.toThrow(sentence);
  });

  test('given a failure, then no further row begins, and those under way are counted', async () => {
    const rows = Array.from({ length: 2_000 }, (_, index) => claimRow(`ref ${index}`));
    let begun = 0;
    const book = bookOf([heading, ...rows].join('\n'), async () => {
      begun += 1;
      const mine = begun;
      await turn();
      if (mine === 50) throw new Error('the disk is full');
      return taken;
    });
    const stopped = await importFile(book).catch((error: unknown) => error);
    expect(stopped).toBeInstanceOf(FileStopped);
    expect((stopped as FileStopped).cause).toMatchObject({ message: 'the disk is full' });
    expect((stopped as FileStopped).tally.taken).toBe(begun - 1);
    expect(begun).toBeLessThan(600);
  });

  test.each([
    ['of the refused rows cannot be opened', [claimRow('refused'), claimRow('b')], { read: 2, taken: 1 }],
    ['that an earlier run left cannot be removed', [claimRow('a'), claimRow('b')], { read: 2, taken: 2 }],
  ])('given a file %s, then it says so, and the rows are counted', async (_case, rows, counts) => {
    const take: ImportRow = async (_command, { claim_reference_number: reference }) => {
      await turn();
      return reference === 'refused' ? { kind: 'refused', reason: 'policy_not_found', detail: 'no' } : taken;
    };
    const refusedFile = join(folder, 'no-folder', 'claims.csv.refused.csv');
    writeFileSync(join(folder, 'no-folder'), '');
    const book = bookOf([heading, ...rows].join('\n'), take, { refusedFile });
    const stopped = await importFile(book).catch((error: unknown) => error);
    expect(stopped).toBeInstanceOf(FileStopped);
    expect((stopped as FileStopped).tally).toMatchObject(counts);
    expect((stopped as FileStopped).cause).toMatchObject({ name: 'UnwritableFile' });
    expect(((stopped as FileStopped).cause as Error).message.startsWith(`${refusedFile} cannot be written: `)).toBe(
      true,
    );
  });

  test('given a file that breaks off, then every row before is dealt with', async () => {
    const text = `${heading}\n${claimRow('a')}\n${claimRow('b')}\nc,"broken"here\n`;
    const book = bookOf(text, async (_command, { claim_reference_number: reference }) => {
      await turn();
      return reference === 'b' ? { kind: 'refused', reason: 'policy_not_found', detail: 'no' } : taken;
    });
    const stopped = await importFile(book).catch((error: unknown) => error);
    expect((stopped as FileStopped).tally).toMatchObject({ read: 2, taken: 1, refused: { policy_not_found: 1 } });
    expect((stopped as FileStopped).cause).toBeInstanceOf(UnreadableFile);
    expect(readFileSync(book.refusedFile, 'utf8')).toContain('3,policy_not_found,no,b,');
  });

  test('given it is told to end, then it ends after the rows under way', async () => {
    const ending = new AbortController();
    const rows = Array.from({ length: 5_000 }, (_, index) => claimRow(`ref ${index}`));
    let ended = 0;
    const book = bookOf(
      [heading, ...rows].join('\n'),
      async () => {
        await turn();
        if (++ended === 100) ending.abort();
        return taken;
      },
      { signal: ending.signal },
    );
    const tally = await importFile(book);
    expect(tally.taken).toBe(ended);
    expect(ended).toBeLessThan(600);
  });
});
