import { parseArgs, type ParseArgsConfig } from 'node:util';
import { WrongUse } from './outcome.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** Options and other words of a command line. @throws {WrongUse} for an unknown option, or one without its value */
export function parseWords<const Known extends Options>(words: readonly string[], options: Known) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new WrongUse(firstSentence((error as Error).message));
  }
}

/** Node explains in several sentences how an argument might have been meant. */
function firstSentence(message: string): string {
  return `${message.split(/[.\n]/, 1)[0] ?? message}.`;
}
