import { expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import type { DownloadRow } from '#queries/query.ts';
import { CSV_TYPE, downloadFormatOf } from './download-formats.ts';

async function csvOf(headings: readonly string[], rows: readonly DownloadRow['cells'][]): Promise<string> {
  const format = downloadFormatOf({
    accepts: (types: string[]) => types.find((type) => type.startsWith(CSV_TYPE)) ?? false,
  } as never);
  const chunks = format?.chunks(headings, rowsOf(rows.map((cells) => ({ item: {}, cells })))) ?? [];
  return (await Array.fromAsync(chunks)).join('');
}

test.each([0, 1, 49, 50, 51, 120])('A table of %s rows has one heading and every row', async (count) => {
  const rows = Array.from({ length: count }, (_, number) => [number, `-${number}.50`, '-1', null]);
  const text = await csvOf(['n', 'amount', 'text', 'none'], rows);
  expect(parse(text, { columns: true, record_delimiter: '\r\n' })).toEqual(
    rows.map(([number, amount]) => ({ n: String(number), amount, text: "'-1", none: '' })),
  );
  expect(text.startsWith('n,amount,text,none\r\n')).toBe(true);
});

test('A table of long rows is made in parts of some rows', async () => {
  const format = downloadFormatOf({ accepts: (types: string[]) => types[1] ?? false } as never);
  const rows = Array.from({ length: 50 }, () => ({ item: {}, cells: ['x'.repeat(40_000)] }));
  const parts = await Array.fromAsync(format?.chunks(['text'], rowsOf(rows)) ?? []);
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(100_000);
  expect(parse(parts.join(''), { columns: true, record_delimiter: '\r\n' })).toHaveLength(50);
});

test('Every text is quoted, and no amount and no number', async () => {
  const rows = [
    ['a;b', 'say "no"', 'two\r\nlines', '\nx', '12.5', '1.00\n'],
    ['100.00', '-1.50', '7', 7, '', null],
  ];
  expect(await csvOf(['a', 'b', 'c', 'd', 'e', 'f'], rows)).toBe(
    'a,b,c,d,e,f\r\n"a;b","say ""no""","two\r\nlines","\nx","12.5","1.00\n"\r\n100.00,-1.50,7,7,,\r\n',
  );
});

test.each([
  ['=1+1', "'=1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['+1+1', "'+1+1"],
  ['-1', "'-1"],
  ['\tx', "'\tx"],
  ['\uFF1D1', "'\uFF1D1"],
  ['+234 803 000 0000', '+234 803 000 0000'],
  ['+49 (0)30', "'+49 (0)30"],
  ['+ 1', "'+ 1"],
  ['0803 000', '0803 000'],
  ['-12.50-A1', "'-12.50-A1"],
])('The text %j is written as %j', async (text, written) => {
  expect(await csvOf(['text'], [[text]])).toBe(`text\r\n"${written}"\r\n`);
});

async function* rowsOf<T>(rows: readonly T[]): AsyncGenerator<T> {
  yield* rows;
  await Promise.resolve();
}
