import 'reflect-metadata';
import { runCommandLine } from './cli/cli.ts';

/** The program: runs a command line and resolves with its exit code. `bin/surety.mjs` calls it. */
export async function main(words: string[]): Promise<number> {
  // What it writes holds personal data: for nobody but the user it runs as.
  process.umask(0o077);
  // Who reads the output may stop reading (`| head`): no reason to end what is being done.
  process.stdout.on('error', ignoreClosedPipe);
  process.stderr.on('error', ignoreClosedPipe);
  return await runCommandLine(words);
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
