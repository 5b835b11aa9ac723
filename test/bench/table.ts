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

/** Formats the rows as a Markdown table. */
export function markdown(rows: readonly Row[]): string {
  const lines = rows.map(({ what, surety, bare, ratio }) => `| ${what} | ${surety} | ${bare} | ${ratio} |`);
  return ['| What | Surety | Bare limit | Ratio |', '|---|---:|---:|---:|', ...lines].join('\n');
}
