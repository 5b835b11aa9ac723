import { readSettings, type Settings, InvalidSettings } from '../config.ts';
import { StoreUnavailable } from '../store-unavailable.ts';
import { TopicMismatch } from '../messaging/topic-plan.ts';
import { ProcessNotStarted } from '../processes/runtime/process.ts';
import { createLogger, type Logger } from '../observability/logging.ts';
import { programVersion } from '../composition/version.ts';
import { runBackup } from './backup.ts';
import { runCommand } from './command.ts';
import { HELP } from './help.ts';
import { runImport } from './import.ts';
import { runMigrate } from './migrate.ts';
import { OperatorError, EXIT, WrongUse } from './outcome.ts';
import { runRebuild } from './rebuild.ts';
import { runReplay } from './replay.ts';
import { runServe } from './serve.ts';
import { ServiceUnreachable } from './service-client.ts';
import { runSetup } from './setup.ts';
import { runVerify } from './verify.ts';

type Run = (words: readonly string[], settings: Settings, log: Logger) => Promise<number>;

const COMMANDS: Readonly<Record<string, Run>> = {
  serve: runServe,
  backup: runBackup,
  command: runCommand,
  import: runImport,
  migrate: runMigrate,
  rebuild: runRebuild,
  replay: runReplay,
  setup: runSetup,
  verify: runVerify,
};

/** Errors whose messages are sentences for the operator. */
const OPERATOR_ERRORS = [OperatorError, ServiceUnreachable, TopicMismatch];

/**
 * Runs a command line and returns the exit code. Errors that the operator can correct are printed to stderr as
 * sentences.
 */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  try {
    return await run(words);
  } catch (error) {
    if (error instanceof WrongUse) return fail(`${error.message} See surety --help.`, EXIT.wrongUse);
    if (error instanceof InvalidSettings) return fail(error.message, EXIT.failed);
    if (OPERATOR_ERRORS.some((kind) => error instanceof kind)) return fail((error as Error).message, EXIT.failed);
    if (error instanceof StoreUnavailable || error instanceof ProcessNotStarted)
      return fail(`${error.message}.`, EXIT.failed);
    throw error;
  }
}

async function run(words: readonly string[]): Promise<number> {
  const [name, ...rest] = words;
  const options = rest.slice(0, rest.includes('--') ? rest.indexOf('--') : undefined);
  if (name === '--help' || name === '-h' || name === 'help' || options.includes('--help')) return print(HELP);
  if (name === '--version' || name === '-v') return print(`${programVersion()}\n`);
  if (name === undefined) throw new WrongUse(`surety needs a command: ${Object.keys(COMMANDS).join(', ')}.`);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new WrongUse(`surety has no command ${JSON.stringify(name)}.`);
  const settings = readSettings(process.env);
  return await command(rest, settings, createLogger(settingsFor(name, settings)));
}

/** Tools print their results and log only warnings and errors. */
function settingsFor(name: string, settings: Settings): Settings {
  return name === 'serve' || process.env['LOG_LEVEL'] ? settings : { ...settings, logLevel: 'warn' };
}

function print(text: string): number {
  process.stdout.write(text);
  return EXIT.done;
}

function fail(sentences: string, code: number): number {
  process.stderr.write(`${sentences}\n`);
  return code;
}
