export const EXIT = { done: 0, failed: 1, wrongUse: 2, interrupted: 130 } as const;

/** The command line is invalid. The message is a sentence. */
export class WrongUse extends Error {
  override readonly name = 'WrongUse';
}

export { OperatorError } from '#stores/shared/errors.ts';

export const JSON_OPTION = {
  type: 'boolean',
  default: false,
  help: 'prints one JSON object instead of sentences',
} as const;

/** Prints JSON text as one line, or indented on a terminal. */
export function printJson(json: string): void {
  process.stdout.write(`${escapeControls(process.stdout.isTTY ? indentJson(json) : json)}\n`);
}

/** Writes to standard output, and waits until it is written. @throws {NodeJS.ErrnoException} such as `EPIPE` */
export async function writeOut(chunk: string | Uint8Array): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}

/** Prints JSON text indented, also to a file or a pipe. */
export function printIndentedJson(json: string): void {
  process.stdout.write(`${escapeControls(indentJson(json))}\n`);
}

const CONTROLS = /(?!\n)[\p{Cc}\p{Bidi_Control}]/gu;

/**
 * Returns a text with `\uXXXX`, as JSON has it, in place of characters that a terminal would obey: others have written
 * the text.
 */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Returns JSON text indented; another text, such as the page of a proxy, as it is. */
function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
