import 'reflect-metadata';
import { runCommandLine } from './cli/cli.ts';

/** The program: runs a command line and resolves with its exit code. `bin/surety.mjs` calls it. */
export async function main(words: string[]): Promise<number> {
  return await runCommandLine(words);
}
