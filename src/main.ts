import 'reflect-metadata';
import { runCommandLine } from './cli/cli.ts';

/** Runs a command line and returns the exit code. Called by `bin/surety.mjs`. */
export async function main(words: string[]): Promise<number> {
  // Files hold personal data, so only the user of the process may read them.
  process.umask(0o077);
  // A closed pipe (`| head`) must not end the command.
  process.stdout.on('error', ignoreClosedPipe);
  process.stderr.on('error', ignoreClosedPipe);
  return await runCommandLine(words);
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
