import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Row, readRows, UnreadableFile } from './read-rows.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'surety-rows-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function fileOf(content: string | Uint8Array, ending = 'csv'): string {
  const file = join(folder, `${++files}.${ending}`);
  writeFileSync(file, content);
  return file;
}

async function rowsOf(file: string): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of readRows(file)) rows.push(row);
  return rows;
}

async function readUntilFault(file: string): Promise<{ rows: Row[]; sentence: string }> {
  const rows: Row[] = [];
  try {
    for await (const row of readRows(file)) rows.push(row);
  } catch (error) {
    if (error instanceof UnreadableFile) return { rows, sentence: error.message };
    throw error;
  }
  throw new Error(`${file} was read to its end`);
}

describe('a valid CSV file', () => {
  const plain = [
    { line: 1, fields: ['a', 'b'] },
    { line: 2, fields: ['1', '2'] },
    { line: 3, fields: ['3', ''] },
  ];

  test.each([
    ['LF', 'a,b\n1,2\n3,\n'],
    ['CRLF', 'a,b\r\n1,2\r\n3,\r\n'],
    ['CR', 'a,b\r1,2\r3,\r'],
    ['line ends that change', 'a,b\r\n1,2\n3,\r\n'],
    ['no line end at its end', 'a,b\n1,2\n3,'],
    ['a byte order mark', '\uFEFFa,b\n1,2\n3,\n'],
    ['a byte order mark and a quoted heading', '\uFEFF"a",b\n1,2\n3,\n'],
  ])('is read with %s', async (_case, text) => {
    expect(await rowsOf(fileOf(text))).toEqual(plain);
  });

  test.each(['csv', 'csv.gz'])('holds few rows in memory, even the shortest rows of a .%s file', async (ending) => {
    const text = 'x\n'.repeat(100_000);
    let read = 0;
    let [rows, most] = [0, 0];
    const onProgress = (): void => {
      rows = 0;
    };
    for await (const _ of readRows(fileOf(ending === 'csv' ? text : gzipSync(text), ending), onProgress)) {
      read += 1;
      rows += 1;
      most = Math.max(most, rows);
    }
    expect(read).toBe(100_000);
    expect(most).toBeLessThan(40_000);
  });

  test('is read from gzip with several members', async () => {
    const members = Buffer.concat([gzipSync('a,b\n1,2'), gzipSync('\n3,\n')]);
    expect(await rowsOf(fileOf(members, 'csv.gz'))).toEqual(plain);
  });

  test('keeps quoted commas, quotes and line breaks and counts its lines', async () => {
    const text = 'a,b\r\n"x, ""y""","one\r\ntwo\nthree"\r\n\r\n\r\n4,5\r\n"six\n",7\r\n8,9\r\n';
    expect(await rowsOf(fileOf(text))).toEqual([
      { line: 1, fields: ['a', 'b'] },
      { line: 2, fields: ['x, "y"', 'one\r\ntwo\nthree'] },
      { line: 7, fields: ['4', '5'] },
      { line: 8, fields: ['six\n', '7'] },
      { line: 10, fields: ['8', '9'] },
    ]);
  });

  test('yields rows with too many or too few fields unchanged', async () => {
    const rows = await rowsOf(fileOf('a,b\n1\n1,2,3\n1,2\n'));
    expect(rows.map((row) => row.fields.length)).toEqual([2, 1, 3, 2]);
  });

  test('without content has no rows', async () => {
    expect(await rowsOf(fileOf(''))).toEqual([]);
    expect(await rowsOf(fileOf('\n\n'))).toEqual([]);
  });

  test('is read with correct line numbers when it is larger than every buffer', async () => {
    const text = `a,b\n${Array.from({ length: 60_000 }, (_, index) => `${index},"x\n${'y'.repeat(20)}"\n`).join('')}`;
    let expectedLine = 2;
    let count = 0;
    for await (const row of readRows(fileOf(gzipSync(text), 'csv.gz'))) {
      if (row.line === 1) continue;
      if (row.line !== expectedLine || row.fields[0] !== String(count)) throw new Error(`wrong at ${row.line}`);
      expectedLine += 2;
      count += 1;
    }
    expect(count).toBe(60_000);
  });
});

describe('an invalid file', () => {
  test('is named when it does not exist', async () => {
    const file = join(folder, 'nowhere.csv');
    expect(await readUntilFault(file)).toEqual({ rows: [], sentence: `${file}: there is no such file.` });
  });

  test('is rejected when it is a folder', async () => {
    expect((await readUntilFault(folder)).sentence).toMatch(/: this is a folder, not a file\.$/);
  });

  test('is rejected when it is a pipe, without waiting for data', async () => {
    const pipe = join(folder, 'pipe.csv');
    spawnSync('mkfifo', [pipe]);
    expect(await readUntilFault(pipe)).toEqual({
      rows: [],
      sentence: `${pipe}: this is not a regular file; an import reads it twice, so save it to a file first.`,
    });
  });

  test('is reported with the last line that was read when gzip is cut off', async () => {
    const whole = gzipSync(Array.from({ length: 50_000 }, (_, index) => `${Math.sin(index)},2\n`).join(''));
    const { rows, sentence } = await readUntilFault(fileOf(whole.subarray(0, whole.length / 2), 'csv.gz'));
    expect(rows.length).toBeGreaterThan(1_000);
    expect(sentence).toMatch(
      new RegExp(`: the gzip data is broken or incomplete; nothing after line ${rows.length} can be read\\.$`),
    );
  });

  test('is reported when it is named .gz but is not gzip', async () => {
    expect((await readUntilFault(fileOf('a,b\n1,2\n', 'csv.gz'))).sentence).toMatch(/the gzip data is broken/);
  });

  test.each([
    ['text after a closing quote', '3,"four"teen\n5,6\n', 'text follows the quote that closes a field'],
    ['a quote within a field', '3,fo"ur\n5,6\n', 'a quote is inside a field that does not begin with one'],
    ['a quote never closed', '3,"four\n5,6\n', 'a quote is never closed'],
    ['a record without end', `3,"${'x'.repeat(1_100_000)}"\n`, 'there are more than 1048576 characters'],
  ])('yields the rows before %s and reports its line', async (_case, text, fault) => {
    const { rows, sentence } = await readUntilFault(fileOf(`a,b\n"1\r\n",2\n\n${text}`));
    expect(rows).toHaveLength(2);
    expect(sentence).toContain(fault);
    // An empty line before the record may be counted to it.
    expect(sentence).toMatch(/in the record that begins on line [45],/);
  });
});
