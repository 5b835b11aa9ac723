import { parseArgs } from 'node:util';
import { WrongUse } from './outcome.ts';

/** An option of a command: `value` is its value in the help, `expects` describes it in error messages. */
type Option = { readonly help: string } & (
  | { readonly type: 'boolean'; readonly default?: boolean }
  | { readonly type: 'string'; readonly default?: string; readonly value: string; readonly expects: string }
);

export type Options = Readonly<Record<string, Option>>;

/** Parses options and positionals. @throws {WrongUse} for an unknown option or a missing value */
export function parseWords<const Known extends Options>(words: readonly string[], options: Known) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new WrongUse(missingValueError(words, options) ?? firstSentence((error as Error).message));
  }
}

/** Parses the options of a command without arguments. @throws {WrongUse} */
export function parseOptions<const Known extends Options>(command: string, words: readonly string[], options: Known) {
  const { values, positionals } = parseWords(words, options);
  if (positionals.length > 0) throw new WrongUse(`${command} takes no argument ${positionals.join(' ')}.`);
  return values;
}

function missingValueError(words: readonly string[], options: Options): string | undefined {
  for (const [index, word] of words.entries()) {
    if (word === '--') return undefined;
    const option = word.startsWith('--') ? options[word.slice(2)] : undefined;
    if (option?.type !== 'string') continue;
    const next = words[index + 1];
    if (next === undefined) return `${word} needs a value: ${option.expects}.`;
    if (next.startsWith('-') && next !== '-')
      return `${word} needs a value: ${option.expects}. ${JSON.stringify(next)} begins with a dash; if it is the value, write ${word}=${next}.`;
  }
  return undefined;
}

/** Node adds sentences with suggestions. */
function firstSentence(message: string): string {
  return `${message.split(/[.\n]/, 1)[0] ?? message}.`;
}
