import { expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { CSV_TYPE, downloadFormatOf } from './download-formats.ts';

test.each([0, 1, 49, 50, 51, 120])('A table of %s rows has one heading and every row', async (count) => {
  const format = downloadFormatOf({
    accepts: (types: string[]) => types.find((type) => type.startsWith(CSV_TYPE)) ?? false,
  } as never);
  const rows = Array.from({ length: count }, (_, number) => ({
    item: {},
    cells: [number, `-${number}.50`, '-1', null],
  }));
  let text = '';
  for await (const chunk of format?.chunks(['n', 'amount', 'text', 'none'], rowsOf(rows)) ?? []) text += chunk;
  expect(parse(text, { columns: true, record_delimiter: '\r\n' })).toEqual(
    rows.map(({ cells: [number, amount] }) => ({ n: String(number), amount, text: "'-1", none: '' })),
  );
  expect(text.startsWith('n,amount,text,none\r\n')).toBe(true);
});

async function* rowsOf<T>(rows: readonly T[]): AsyncGenerator<T> {
  yield* rows;
  await Promise.resolve();
}
