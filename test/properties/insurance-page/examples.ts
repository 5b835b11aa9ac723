/** One row of a table of examples. */
export interface Row {
  readonly day: string;
  readonly command: string;
  readonly results: readonly string[];
}

/** Returns the tables of examples of a page, each with the line above it. */
export function readExamples(page: string): readonly (readonly [title: string, rows: readonly Row[]])[] {
  const tables = page.matchAll(
    /^(?<title>.*)\n\n\| Day \| Command \| Result \|\n\|---\|---\|---\|\n(?<rows>(?:\|.*\n)+)/gm,
  );
  return [...tables].map(({ groups: { title = '', rows = '' } = {} }) => [title, readRows(rows)]);
}

/** @throws {Error} when a line is not a row with a day, a command and results */
function readRows(lines: string): readonly Row[] {
  return lines
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, day, command, results] = /^\| (\d{4}-\d\d-\d\d) \| `([^`]+)` \| (|`.*` )\|$/.exec(line) ?? [];
      if (day === undefined || command === undefined || results === undefined) throw new Error(`not a row: ${line}`);
      return { day, command, results: [...results.matchAll(/`([^`]+)`/g)].map(([, result = '']) => result) };
    });
}

/** What a row says about its command. */
export interface ExpectedResults {
  /** The code of the refusal; undefined when the command is accepted. */
  readonly refusal: string | undefined;
  /** New entries of the transactions of the policy. */
  readonly transactions: readonly string[];
  /** Fields by name. */
  readonly fields: Readonly<Record<string, string>>;
}

const TRANSACTION = /^\w+ -?\d+\.\d\d on \d{4}-\d\d-\d\d/;

export function expectedResults({ results }: Row): ExpectedResults {
  const isRefusal = (result: string) => result.startsWith('refused: ');
  const isTransaction = (result: string) => TRANSACTION.test(result);
  const fields = results
    .filter((result) => !isRefusal(result) && !isTransaction(result))
    .map((result) => {
      const [, name = '', value = ''] = /^(period [\d-]+ through [\d-]+|\w+),? (.*)$/.exec(result) ?? [];
      return [name, value] as const;
    });
  return {
    refusal: results.find(isRefusal)?.slice('refused: '.length),
    transactions: results.filter(isTransaction),
    fields: Object.fromEntries(fields),
  };
}

/** Returns the text after a word of a command, such as the amount after `tax`. */
export function optionOf(command: string, name: string): string | undefined {
  return new RegExp(`${name} (-?\\d[\\d.-]*)`).exec(command)?.[1];
}

/** @throws {Error} when the command does not have the word */
export function requireOption(command: string, name: string): string {
  const value = optionOf(command, name);
  if (value === undefined) throw new Error(`${command}: ${name} is missing`);
  return value;
}
