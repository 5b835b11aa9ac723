import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Expected totals of a file, from the README of the book. */
export interface FileTotals {
  readonly read: number;
  readonly taken: number;
  /** Duplicate rows of the file. */
  readonly already: number;
  readonly refused: Readonly<Record<string, number>>;
}

/** Expected totals of a book, from its README. */
export interface BookTotals {
  readonly policies: number;
  readonly customers: number;
  readonly notStarted: number;
  /** Number of policies by number of terms. */
  readonly policiesByTerms: Readonly<Record<string, number>>;
  /** Premium by the year in which the term begins. */
  readonly premiumByYear: Readonly<Record<string, string>>;
  readonly claimsByStatus: Readonly<Record<string, number>>;
  readonly claimsByType: Readonly<Record<string, number>>;
  /** Amount by the year of the incident. */
  readonly amountByYear: Readonly<Record<string, string>>;
}

export interface Book {
  readonly policiesFile: string;
  readonly claimsFile: string;
  readonly policiesTotals: FileTotals;
  readonly claimsTotals: FileTotals;
  readonly totals: BookTotals;
  readonly portfolioDays: readonly string[];
}

const smallFolder = fileURLToPath(new URL('small-book', import.meta.url));

/** The generated book of this repository (`small-book/README.md`). */
export const SMALL_BOOK: Book = {
  policiesFile: join(smallFolder, 'policies.csv'),
  claimsFile: join(smallFolder, 'claims.csv'),
  policiesTotals: { read: 1_264, taken: 1_241, already: 3, refused: { term_overlaps: 9, invalid_row: 11 } },
  claimsTotals: {
    read: 341,
    taken: 300,
    already: 2,
    refused: { incident_outside_every_term: 22, claim_reference_taken: 7, policy_not_found: 4, invalid_row: 6 },
  },
  portfolioDays: ['2021-06-30', '2022-06-30', '2023-12-31', '2099-12-31'],
  totals: {
    policies: 700,
    customers: 313,
    notStarted: 7,
    policiesByTerms: { 1: 296, 2: 267, 3: 137 },
    premiumByYear: {
      2021: '140773.28',
      2022: '182852.47',
      2023: '86474.57',
      2024: '24140.72',
      2099: '1206.30',
      2100: '2720.35',
      2101: '1448.55',
      2102: '396.61',
    },
    claimsByStatus: { paid: 263, denied: 37 },
    claimsByType: { fire: 77, theft: 74, liability: 76, glass: 73 },
    amountByYear: {
      2021: '268132.95',
      2022: '509513.74',
      2023: '233744.31',
      2024: '98453.09',
      2025: '36553.10',
    },
  },
};

/**
 * Returns the French motor book in the folder SURETY_BOOK, with the totals of its README; undefined when it is missing.
 */
export function realBook(): Book | undefined {
  const folder = process.env['SURETY_BOOK'];
  if (folder === undefined || !existsSync(join(folder, 'policies.csv.gz'))) return undefined;
  return {
    policiesFile: join(folder, 'policies.csv.gz'),
    claimsFile: join(folder, 'claims.csv.gz'),
    policiesTotals: { read: 51_949, taken: 51_943, already: 0, refused: { term_overlaps: 6 } },
    claimsTotals: {
      read: 9_246,
      taken: 7_774,
      already: 0,
      refused: { incident_outside_every_term: 1_314, claim_reference_taken: 158 },
    },
    portfolioDays: ['2003-06-30', '2003-12-31', '2004-06-30', '2005-12-31'],
    totals: {
      policies: 32_117,
      customers: 17_155,
      notStarted: 0,
      policiesByTerms: { 1: 12_291, 2: 19_826 },
      premiumByYear: { 2003: '13545455.60', 2004: '8722236.90' },
      claimsByStatus: { paid: 7_497, denied: 277 },
      claimsByType: { windscreen: 2_724, tpl: 3_594, damage: 777, theft: 466, other: 168, fire: 45 },
      amountByYear: { 2003: '5496932.00', 2004: '3597626.00' },
    },
  };
}
