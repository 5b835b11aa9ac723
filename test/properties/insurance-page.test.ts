import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { expectedResults, readExamples, type Row } from './insurance-page/examples.ts';
import { PolicyLife } from './insurance-page/policy-life.ts';

const PAGE = readFileSync(new URL('../../docs/insurance.md', import.meta.url), 'utf8');
const examples = readExamples(PAGE);

/** Runs a command and returns what it did, of the fields only those that the row names. */
async function resultsOf(life: PolicyLife, row: Row) {
  const { fields, ...outcome } = await life.run(row);
  const names = Object.keys(expectedResults(row).fields);
  return { ...outcome, fields: Object.fromEntries(names.map((name) => [name, fields[name]])) };
}

describe('the page about insurance', () => {
  test('has its examples', () =>
    expect(examples.map(([, rows]) => rows.length)).toEqual([
      4, 4, 4, 4, 4, 8, 5, 4, 7, 4, 3, 4, 4, 6, 5, 3, 9, 7, 3, 10, 4, 8, 1, 9, 13,
    ]));

  test.each(examples)('%s', async (_title, rows) => {
    const life = await PolicyLife.start(rows[0]?.day ?? '');
    try {
      for (const row of rows)
        expect({ ...row, ...(await resultsOf(life, row)) }).toEqual({ ...row, ...expectedResults(row) });
    } finally {
      await life.stop();
    }
  });

  test('writes the book of every day so that written = earned + unearned + returned', () => {
    const books = examples.flatMap(([, rows]) => rows.map((row) => expectedResults(row).fields));
    const complete = books.filter((fields) => 'premium_unearned' in fields && 'premium_written' in fields);
    expect(complete.length).toBeGreaterThan(8);
    for (const fields of complete) {
      const cents = (name: string) => Math.round(Number(fields[`premium_${name}`] ?? '0.00') * 100);
      expect({ ...fields, written: cents('earned') + cents('unearned') + cents('returned') }).toEqual({
        ...fields,
        written: cents('written'),
      });
    }
  });
});
