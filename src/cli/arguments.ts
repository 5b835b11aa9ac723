import { parseArgs } from 'node:util';
import { WrongUse } from './outcome.ts';

/** An option of a command. `takes` tells a person what its value is: words that follow "--name takes". */
type Option =
  | { readonly type: 'boolean'; readonly default?: boolean }
  | { readonly type: 'string'; readonly default?: string; readonly takes: string };

type Options = Readonly<Record<string, Option>>;

/** Options and other words of a command line. @throws {WrongUse} for an unknown option, or one without its value */
export function parseWords<const Known extends Options>(words: readonly string[], options: Known) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new WrongUse(whyNoValue(words, options) ?? firstSentence((error as Error).message));
  }
}

/** Of the first option that is followed by no value, or by what Node takes for the next option. */
function whyNoValue(words: readonly string[], options: Options): string | undefined {
  for (const [index, word] of words.entries()) {
    if (word === '--') return undefined;
    const option = word.startsWith('--') ? options[word.slice(2)] : undefined;
    if (option?.type !== 'string') continue;
    const next = words[index + 1];
    if (next === undefined) return `${word} takes ${option.takes}, which is missing.`;
    if (next.startsWith('-') && next !== '-')
      return `${word} takes ${option.takes}, and ${JSON.stringify(next)} begins with a dash (where it is meant so: ${word}=${next}).`;
  }
  return undefined;
}

/** Node explains in several sentences how an argument might have been meant. */
function firstSentence(message: string): string {
  return `${message.split(/[.\n]/, 1)[0] ?? message}.`;
}
