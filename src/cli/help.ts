import type { AnyCommand } from '#commands/command.ts';
import { PROBLEM_TYPES } from '#http/api/messages/problem-types.ts';
import { exampleBodyOf } from '#http/api/routers/admin.ts';
import { SETTING_NAMES } from '#service/config/values.ts';
import type { Options } from './arguments.ts';

interface CommandHelp {
  readonly summary: string;
  /** What may follow `surety NAME`, one entry for each form. */
  readonly usage: readonly string[];
  readonly text: readonly string[];
  readonly example: readonly string[];
}

const ON_STORES =
  'Without --url and SURETY_URL it works through the service that holds the data folder, and on the stores of the settings where none does.';

const HELP = {
  serve: {
    summary: 'Runs the service.',
    usage: ['[--sample] [--accept-clock]'],
    text: [
      'A process with all roles sets up what is missing; separate processes for roles need surety setup first.',
      'If the clock is more than 5 minutes earlier or more than 31 days later than at the last run, the scheduler pauses: it neither activates nor renews policies. --accept-clock accepts the current time once, in a process with the role scheduler.',
    ],
    example: ['SURETY_DATA=./data PORT=3100 surety serve --sample'],
  },
  command: {
    summary: "Runs an administrator's command, or describes the commands.",
    usage: ['NAME FILE [options]', '--list', '--schema NAME'],
    text: [
      'Sends the JSON body in FILE (- for standard input) to the command NAME and prints the response; exits with 1 if the command is refused.',
      ON_STORES,
    ],
    example: [
      'echo \'{"name": "My Bank", "business_email": "office@mybank.example"}\' |',
      '  surety command RegisterMerchant -',
    ],
  },
  'sign-in': {
    summary: 'Prints an address with which a person signs in to the console without a key.',
    usage: ['PERSON_ID|E-MAIL [options]'],
    text: [
      'The address has a ticket, which works once and within an hour; give it to that person alone. The log shows who issued it.',
      ON_STORES,
    ],
    example: ['surety sign-in ada.obi@surety.example'],
  },
  get: {
    summary: 'Reads from a running service.',
    usage: ['PATH [--all] [options]'],
    text: [
      'Gets a PATH of the API with its parameters, with or without /api/v1/ in front, and prints the response indented; exits with 1 if it is a problem. It works through the service that holds the data folder, or that of --url or SURETY_URL. The next of a list is a PATH, too.',
    ],
    example: ["surety get 'policies/BAO-MOTOR-0001/history?limit=100' --all"],
  },
  events: {
    summary: 'Prints the public events of a running service, and follows them.',
    usage: ['[--follow] [options]'],
    text: [
      'One line an event, in the order of the log, from the beginning unless a cursor is given; in a pipe or a file each line is a CloudEvent as JSON. It works through the service that holds the data folder, or that of --url or SURETY_URL; on a terminal a line has the time, the type, what the event is about (number, person, amount), its subject and its id. The id of the last event is the cursor to continue from. With --follow it waits while the service is not available.',
    ],
    example: ['surety events --follow --types surety.policy.purchased.v1'],
  },
  mails: {
    summary: 'Lists the mails in the outbox of the data folder, with the links in them.',
    usage: ['[--json]'],
    text: [
      'Mails are files in the folder outbox as long as SMTP_URL is not set. It reads the files only, so a service may run.',
    ],
    example: ['SURETY_DATA=./data surety mails'],
  },
  import: {
    summary: 'Imports a book of policies and claims from CSV files.',
    usage: ['POLICIES [CLAIMS] --environment ID --provider NAME [options]'],
    text: [
      'Reads CSV files (.gz too). Rows that are refused go to <file name>.refused.csv with their line and the reason, and the rest is imported. Importing the same files again imports nothing, and an interrupted import continues when it is run again.',
      ON_STORES,
    ],
    example: [
      'surety import --environment 1 --provider "Some Insurer" --currency EUR policies.csv claims.csv.gz \\',
      '  --url http://127.0.0.1:3000',
    ],
  },
  setup: {
    summary: 'Creates what a service needs in the data folder or on servers, and exits.',
    usage: [
      '[--from start|end|POSITION] [--partitions N] [--replication N] [options]',
      '--create-topics --from start|POSITION',
    ],
    text: [
      'Creates the data folder and its contents, or on servers the topics, the indexes and the initial checkpoints of all processes. Repeating it changes nothing. On an empty log, mails and public events start with the first event.',
      'On servers the records store which secret signs the links in mails (SURETY_SECRET, or the secret that the first service creates); a process with another one does not start.',
      'A missing public topic is created only while the relay has sent nothing; otherwise --create-topics is needed.',
    ],
    example: [
      "EVENTSTORE_URL='esdb://host:2113?tls=false' MONGODB_URL=mongodb://host/surety KAFKA_BROKERS=host:9092 surety setup",
    ],
  },
  replay: {
    summary: 'Makes the relay send public events again.',
    usage: ['--from start|POSITION'],
    text: ['No relay may run at the same time.'],
    example: ['surety replay --from start'],
  },
  rebuild: {
    summary: 'Builds the read models again from the event log.',
    usage: ['[options]'],
    text: [
      'Builds all documents beside those that are served, and then serves the new ones, all at once. It is refused, with exit code 1, if documents that are served would be parked; then nothing changes. If the log is damaged it also exits with 1, and the rebuild goes on when the log is restored. With --url an interruption ends the waiting, not the rebuild.',
      ON_STORES,
    ],
    example: ['surety rebuild'],
  },
  verify: {
    summary: 'Checks the event log, and compares the read models with it.',
    usage: ['[options]'],
    text: [
      'Reads every event of the log, and names each that was altered, is missing or cannot be read, with its position. If the log has no fault, recomputes every document of the read models from it and compares it with the stored one, byte for byte, and the content of every claim document with its SHA-256. Prints the first 1,000 faults of the log, or the first 1,000 differences with their JSON Pointers and the first 1,000 parked documents, and how many there are, and then exits with 1. It needs a temporary file of about the size of the read models (in SQLITE_TMPDIR, TMPDIR or /var/tmp).',
      'A running service verifies its own read models in a separate thread and goes on serving; the key of an auditor works too.',
      `${ON_STORES} On servers, services may run.`,
    ],
    example: ['SURETY_KEY=sk_platform_... surety verify --url http://127.0.0.1:3000'],
  },
  backup: {
    summary: 'Copies the data folder, also while a service runs.',
    usage: ['DIR'],
    text: [
      'Copies the event log, the records and the secrets to DIR, a new or an empty folder, as they are at one moment. Read models are left out: the first start on the copy rebuilds them. It copies no servers; see the runbook.',
    ],
    example: ['SURETY_DATA=./data surety backup /backups/surety-monday'],
  },
  migrate: {
    summary: 'Moves the data folder to servers.',
    usage: ['[--json]'],
    text: [
      'Copies log, records and checkpoints to the servers of EVENTSTORE_URL, MONGODB_URL and KAFKA_BROKERS. Run surety setup on the servers first; they must be empty otherwise. It compares count and SHA-256 of all events, builds the read models on the servers and verifies them as surety verify does; it exits with 1 if anything differs. After an interruption, run it again to continue. No service may run at the same time. At the end it writes the file MIGRATED to the folder; while this file exists, nothing uses the folder.',
    ],
    example: [
      "EVENTSTORE_URL='esdb://host:2113?tls=false' MONGODB_URL=mongodb://host/surety KAFKA_BROKERS=host:9092 surety migrate",
    ],
  },
} as const satisfies Readonly<Record<string, CommandHelp>>;

export type CommandName = keyof typeof HELP;

const WIDTH = 110;

export function helpOfAll(): string {
  const commands = Object.entries(HELP).map(([name, { summary }]) => [name, summary] as const);
  return [
    'Surety, an event-sourced insurance service.',
    'Usage: surety COMMAND [options]',
    `Commands:\n${table(commands)}`,
    `surety help COMMAND    explains a command with its options and an example\nsurety help NAME       explains a command of the platform (surety command --list) with its codes\nsurety --version       prints the version`,
    wrap(
      `Settings are environment variables: ${SETTING_NAMES.join(', ')}; docs/configuration.md describes each. Without EVENTSTORE_URL, MONGODB_URL and KAFKA_BROKERS everything is in the data folder; SURETY_ROLES may omit roles only with them.`,
    ),
    wrap(
      'SURETY_URL and SURETY_KEY are for the command line alone: the URL of a running service, in place of --url, and an API key for it.',
    ),
    'Exit codes: 0 success, 1 failure, 2 invalid command line, 130 interrupted.\n',
  ].join('\n\n');
}

export function helpOf(name: CommandName, options: Options): string {
  const { summary, usage, text, example }: CommandHelp = HELP[name];
  const rows = Object.entries(options).map(
    ([option, { help, ...rest }]) => [`--${option}${'value' in rest ? ` ${rest.value}` : ''}`, help] as const,
  );
  return [
    summary,
    usage.map((form, index) => `${index === 0 ? 'Usage:' : '      '} surety ${name} ${form}`).join('\n'),
    ...text.map((paragraph) => wrap(paragraph)),
    ...(rows.length === 0 ? [] : [`Options:\n${table(rows)}`]),
    `Example:\n${example.map((line) => `  ${line}`).join('\n')}\n`,
  ].join('\n\n');
}

/** Explains a command of the platform, whose options are those of `surety command`. */
export function helpOfOperation(command: AnyCommand): string {
  const { name, summary, description, errors } = command;
  const codes = errors.map((code) => [code, PROBLEM_TYPES[code].title] as const);
  // Only a list and a table keep their lines.
  const lines = description.split('\n\n').map((paragraph) => paragraph.split(/\n(?=\d+\. |\|)/));
  return [
    summary,
    `Usage: surety command ${name} FILE [options]`,
    ...lines.map((texts) => texts.map((text) => wrap(text.replaceAll('\n', ' '))).join('\n')),
    ...(codes.length === 0 ? [] : [`Codes, beside those of every command:\n${table(codes)}`]),
    `Example of the body:\n${JSON.stringify(exampleBodyOf(command), null, 2)}\n`,
  ].join('\n\n');
}

/** Formats rows of a term and its explanation, the latter wrapped beside the former. */
function table(rows: readonly (readonly [string, string])[]): string {
  const indent = 2 + Math.max(...rows.map(([term]) => term.length)) + 3;
  return rows.map(([term, text]) => `  ${term}`.padEnd(indent) + wrap(text, indent)).join('\n');
}

/** Breaks a text into lines of up to `WIDTH` characters; all but the first are indented. */
function wrap(text: string, indent = 0): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (indent + line.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.join(`\n${' '.repeat(indent)}`);
}
