import { findCommand } from '#commands/registry.ts';
import { addressesOf, readSettings, type Settings, InvalidSettings } from '#service/config/config.ts';
import { withoutCredentials } from '#service/config/addresses.ts';
import { lookalikes } from '#service/config/names.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { ProcessNotStarted } from '#processes/runtime/process.ts';
import { createLogger, type Logger } from '#service/observability/logging.ts';
import { programVersion } from '#service/config/package-folder.ts';
import type { Options } from './arguments.ts';
import { runBackup } from './backup.ts';
import { COMMAND_OPTIONS, runCommand } from './command.ts';
import { EVENTS_OPTIONS, runEvents } from './events.ts';
import { GET_OPTIONS, runGet } from './get.ts';
import { type CommandName, helpOf, helpOfAll, helpOfOperation } from './help.ts';
import { IMPORT_OPTIONS, runImport } from './import.ts';
import { MAILS_OPTIONS, runMails } from './mails.ts';
import { MIGRATE_OPTIONS, runMigrate } from './migrate.ts';
import { escapeControls, EXIT, OperatorError, WrongUse } from './outcome.ts';
import { REBUILD_OPTIONS, runRebuild } from './rebuild.ts';
import { REPLAY_OPTIONS, runReplay } from './replay.ts';
import { runServe, SERVE_OPTIONS } from './serve.ts';
import { runSetup, SETUP_OPTIONS } from './setup.ts';
import { runSignIn, SIGN_IN_OPTIONS } from './sign-in.ts';
import { runVerify, VERIFY_OPTIONS } from './verify.ts';
import { TopicMismatch } from '#stores/messaging/messaging.ts';

interface Command {
  readonly run: (words: readonly string[], settings: Settings, log: Logger) => Promise<number>;
  readonly options: Options;
}

const COMMANDS: Readonly<Record<CommandName, Command>> = {
  serve: { run: runServe, options: SERVE_OPTIONS },
  command: { run: runCommand, options: COMMAND_OPTIONS },
  'sign-in': { run: runSignIn, options: SIGN_IN_OPTIONS },
  get: { run: runGet, options: GET_OPTIONS },
  events: { run: runEvents, options: EVENTS_OPTIONS },
  mails: { run: runMails, options: MAILS_OPTIONS },
  import: { run: runImport, options: IMPORT_OPTIONS },
  setup: { run: runSetup, options: SETUP_OPTIONS },
  replay: { run: runReplay, options: REPLAY_OPTIONS },
  rebuild: { run: runRebuild, options: REBUILD_OPTIONS },
  verify: { run: runVerify, options: VERIFY_OPTIONS },
  backup: { run: runBackup, options: {} },
  migrate: { run: runMigrate, options: MIGRATE_OPTIONS },
};

const SETTING_OF = { EventStoreDB: 'EVENTSTORE_URL', MongoDB: 'MONGODB_URL', Kafka: 'KAFKA_BROKERS' } as const;

const OPERATOR_ERRORS = [OperatorError, TopicMismatch];

/**
 * Runs a command line and returns the exit code. Errors that the operator can correct are printed to stderr as
 * sentences.
 */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  try {
    return await run(words);
  } catch (error) {
    if (error instanceof WrongUse) return fail(`${error.message} See surety ${helpFor(words[0])}.`, EXIT.wrongUse);
    if (error instanceof InvalidSettings) return fail(error.message, EXIT.failed);
    if (OPERATOR_ERRORS.some((kind) => error instanceof kind)) return fail((error as Error).message, EXIT.failed);
    throw error;
  }
}

async function run(words: readonly string[]): Promise<number> {
  const [name, ...rest] = words;
  if (name === '--help' || name === '-h' || name === 'help') return print(helpOn(rest[0]));
  if (name === '--version' || name === '-v') return print(`${programVersion()}\n`);
  if (name === undefined) throw new WrongUse(`surety needs a command: ${Object.keys(COMMANDS).join(', ')}.`);
  const { run: runNamed } = COMMANDS[requireName(name)];
  const options = rest.slice(0, rest.includes('--') ? rest.indexOf('--') : undefined);
  if (options.includes('--help') || options.includes('-h')) return print(helpOn(name));
  const settings = readSettings(process.env);
  const log = createLogger(settingsFor(name, settings));
  for (const variable of lookalikes(process.env))
    log.warn({ variable }, 'A variable looks like a setting but is none: it has no effect');
  try {
    return await runNamed(rest, settings, log);
  } catch (error) {
    if (!(error instanceof StoreUnavailable || error instanceof ProcessNotStarted)) throw error;
    return fail(`${error.message}${addressOf(error, settings)}.`, EXIT.failed);
  }
}

/** Returns the setting and the address of the server that the message names, as an addition to it. */
function addressOf({ message }: Error, settings: Settings): string {
  const setting = Object.entries(SETTING_OF).find(([server]) => message.includes(server))?.[1];
  if (settings.servers === undefined || setting === undefined) return '';
  return ` (${setting}: ${withoutCredentials(addressesOf(settings.servers)[setting])})`;
}

function helpOn(name: string | undefined): string {
  if (name === undefined) return helpOfAll();
  const command = findCommand(name);
  if (command !== undefined) return helpOfOperation(command);
  const known = requireName(name);
  return helpOf(known, COMMANDS[known].options);
}

function isName(word: string): word is CommandName {
  return Object.hasOwn(COMMANDS, word);
}

/** @throws {WrongUse} when there is no command of this name */
function requireName(word: string): CommandName {
  if (isName(word)) return word;
  throw new WrongUse(`surety has no command ${JSON.stringify(word)}.`);
}

function helpFor(word: string | undefined): string {
  return word !== undefined && isName(word) ? `help ${word}` : '--help';
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
  // A sentence may quote what a service responded.
  process.stderr.write(`${escapeControls(sentences)}\n`);
  return code;
}
