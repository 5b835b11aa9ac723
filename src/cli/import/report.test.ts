import { describe, expect, test } from '@jest/globals';
import { progressLine } from './progress.ts';
import { refusedRows, reportAsJson, reportAsTable } from './report.ts';

const files = [
  {
    file: 'book/policies.csv.gz',
    read: 51_949,
    imported: 51_943,
    alreadyImported: 0,
    refused: { term_overlaps: 6 },
    ignoredColumns: 0,
  },
  {
    file: 'claims.csv',
    read: 9_246,
    imported: 0,
    alreadyImported: 7_774,
    refused: { incident_outside_every_term: 1_314, claim_reference_taken: 158 },
    ignoredColumns: 0,
  },
];

describe('the report of an import', () => {
  test('has exactly the documented members as JSON', () => {
    expect(JSON.parse(reportAsJson({ files, seconds: 1.234_567 }))).toEqual({
      files: [
        {
          file: 'book/policies.csv.gz',
          read: 51_949,
          taken: 51_943,
          already: 0,
          refused: { term_overlaps: 6 },
          ignored_columns: 0,
        },
        {
          file: 'claims.csv',
          read: 9_246,
          taken: 0,
          already: 7_774,
          refused: { incident_outside_every_term: 1_314, claim_reference_taken: 158 },
          ignored_columns: 0,
        },
      ],
      seconds: 1.235,
    });
  });

  test('shows rows by outcome and reason and rows per second as a table', () => {
    expect(reportAsTable({ files, seconds: 40.03 }).split('\n')).toEqual([
      'file                             read   taken  already there  refused',
      'policies.csv.gz                51,949  51,943              0        6',
      '  term_overlaps                                                     6',
      'claims.csv                      9,246       0          7,774    1,472',
      '  claim_reference_taken                                           158',
      '  incident_outside_every_term                                   1,314',
      '61,195 rows in 40.0 s, 1,529 rows a second',
    ]);
  });

  test('counts refused rows over files and reasons', () => {
    expect(refusedRows(files)).toBe(1_478);
    expect(refusedRows([])).toBe(0);
  });
});

describe('the progress line', () => {
  test('shows rows and rows per second and fits the terminal', () => {
    const progress = { file: 'book/policies.csv', rows: 12_345, seconds: 10, share: 0.5 };
    expect(progressLine(progress, 120)).toBe('policies.csv ████████████░░░░░░░░░░░░ 12,345 rows · 1,235 rows/s');
    expect(progressLine(progress, 20)).toHaveLength(19);
  });
});
