import 'reflect-metadata';
import { setFlagsFromString } from 'node:v8';
import { runCommandLine } from '#cli/cli.ts';
import { EXIT } from '#cli/outcome.ts';

/** How long a stopped service waits for the reader of its output. */
const OUTPUT_TIMEOUT_MS = 1_000;

/** Runs a command line and returns the exit code. Called by `bin/surety.mjs`. */
export async function main(words: string[]): Promise<number> {
  // Files hold personal data, so only the user of the process may read them.
  process.umask(0o077);
  // V8 collects the old generation when it has doubled, and not at four times what was in use.
  setFlagsFromString('--heap-growing-percent=100');
  // A service prints only its start to standard output; of a tool it is the result.
  const isService = words[0] === 'serve';
  let isOutputLost = false;
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    // A closed pipe (`| head`) must not end the command.
    if (code === 'EPIPE' || isOutputLost) return;
    isOutputLost = true;
    process.stderr.write(`Standard output cannot be written (${code}).\n`);
    // The error may come after the end of the command.
    if (!isService) process.exitCode = EXIT.failed;
  });
  // Nothing is left that could report it, and a service goes on without its log.
  process.stderr.on('error', () => {});
  const exitCode = await runCommandLine(words);
  if (!isService) return isOutputLost && exitCode === EXIT.done ? EXIT.failed : exitCode;
  // Text for a pipe that nobody reads would keep the process alive.
  const isWaiting = process.stdout.writableLength + process.stderr.writableLength > 0;
  if (isWaiting) setTimeout(() => process.exit(), OUTPUT_TIMEOUT_MS).unref();
  return exitCode;
}
