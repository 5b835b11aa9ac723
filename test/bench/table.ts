import { cpus } from 'node:os';

/** A row of the table: the result of Surety, of the bare limit in the same run, and their ratio. */
export interface Row {
  readonly what: string;
  readonly surety: string;
  readonly bare: string;
  readonly ratio: string;
}

/** `12345.6` → `12,346`. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** Returns the median. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Builds a row from two rates of the same unit. */
export function rateRow(what: string, unit: string, surety: number, bare: number): Row {
  return {
    what,
    surety: `${whole(surety)} ${unit}`,
    bare: `${whole(bare)} ${unit}`,
    ratio: (surety / bare).toFixed(2),
  };
}

/**
 * Measures both rates in turn, in several rounds of which the first ones may be a warm-up; builds a row from the
 * medians.
 * @param measure gets the number of the round
 */
export async function compareRates(
  what: string,
  unit: string,
  { rounds, warmUps = 0 }: { readonly rounds: number; readonly warmUps?: number },
  measure: (round: number) => Promise<{ readonly surety: number; readonly bare: number }>,
): Promise<Row> {
  const rates: { readonly surety: number; readonly bare: number }[] = [];
  for (let round = 0; round < warmUps + rounds; round++) rates.push(await measure(round));
  const measured = rates.slice(warmUps);
  return rateRow(what, unit, median(measured.map(({ surety }) => surety)), median(measured.map(({ bare }) => bare)));
}

/** Returns the value below which 99 % of the values are. */
export function percentile99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN;
}

/** Returns an empty list whose rows are printed to stderr as `add` appends them. */
export function rowList(): { readonly rows: readonly Row[]; readonly add: (...more: readonly Row[]) => void } {
  const rows: Row[] = [];
  const add = (...more: readonly Row[]): void => {
    rows.push(...more);
    for (const row of more) process.stderr.write(`${row.what}: ${row.surety} / ${row.bare} = ${row.ratio}\n`);
  };
  return { rows, add };
}

/** Describes processors and Node. */
export function machine(): string {
  return `${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, Node ${process.version}`;
}

/** Formats the rows as a Markdown table. */
export function markdown(rows: readonly Row[]): string {
  const lines = rows.map(({ what, surety, bare, ratio }) => `| ${what} | ${surety} | ${bare} | ${ratio} |`);
  return ['| What | Surety | Bare limit | Ratio |', '|---|---:|---:|---:|', ...lines].join('\n');
}
