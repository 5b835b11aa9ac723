import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { text as readText } from 'node:stream/consumers';
import { COMMANDS, findCommand } from '#commands/registry.ts';
import { platformCommands } from './platform-commands.ts';
import type { Settings } from '#service/config/config.ts';
import type { Application } from '#service/compose/application.ts';
import { Refusal } from '#domain/refusals.ts';
import { asRefusal, problemResponseOf } from '#http/api/messages/problem-types.ts';
import { bodySchemaOf } from '#http/api/routers/admin.ts';
import type { Logger } from '#service/observability/logging.ts';
import { parseWords } from './arguments.ts';
import { withTool } from './with-application.ts';
import { EXIT, OperatorError, printIndentedJson, printJson, WrongUse } from './outcome.ts';
import { commandCall, problemIn, REQUEST_RETRY_MS, SERVICE_OPTIONS, serviceOf, withClient } from './service.ts';

interface CommandResponse {
  readonly json: string;
  readonly ok: boolean;
}

export const COMMAND_OPTIONS = {
  list: { type: 'boolean', default: false, help: 'prints the name of every command with one sentence' },
  schema: {
    type: 'string',
    value: 'NAME',
    expects: 'the name of a command',
    help: 'prints the JSON Schema of the body of a command',
  },
  'idempotency-key': {
    type: 'string',
    value: 'KEY',
    expects: 'a key with which the command is executed once',
    help: 'executes the command once, however often it is sent with this key',
  },
  ...SERVICE_OPTIONS,
} as const;

/**
 * `surety command NAME FILE`: prints the response to the command, or the problem, as JSON. `--list` and `--schema`
 * describe the commands of this program.
 */
export async function runCommand(words: readonly string[], settings: Settings, log: Logger): Promise<number> {
  const { values, positionals } = parseWords(words, COMMAND_OPTIONS);
  const { list, schema, ...others } = values;
  if (list || schema !== undefined) {
    if (positionals.length > 0 || Object.keys(others).length > 0 || (list && schema !== undefined))
      throw new WrongUse('--list and --schema NAME describe commands; each stands alone.');
    return schema === undefined ? listCommands() : printSchema(schema);
  }
  const [name, file, ...rest] = positionals;
  if (name === undefined || file === undefined)
    throw new WrongUse('surety command needs a NAME and a FILE (- for standard input).');
  if (rest.length > 0)
    throw new WrongUse(`surety command takes one NAME and one FILE; ${rest.join(' ')} is not expected.`);
  const service = serviceOf(values, settings);
  const body = await readBody(file);
  const key = values['idempotency-key'];
  const response =
    service === undefined
      ? await runLocally(name, body, key, settings, log)
      : await withClient(service, settings, REQUEST_RETRY_MS, async ({ http }) => {
          return await http.send(commandCall(name, body), { idempotencyKey: key }).then(
            (outcome) => ({ json: JSON.stringify(outcome.body), ok: true }),
            (error: unknown) => ({ json: problemIn(error), ok: false }),
          );
        });
  printJson(response.json);
  return response.ok ? EXIT.done : EXIT.failed;
}

function listCommands(): number {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  process.stdout.write(COMMANDS.map(({ name, summary }) => `${name.padEnd(width)}  ${summary}\n`).join(''));
  return EXIT.done;
}

function printSchema(name: string): number {
  const command = findCommand(name);
  if (command === undefined)
    throw new OperatorError(`There is no command ${name}; surety command --list prints their names.`);
  printIndentedJson(JSON.stringify(bodySchemaOf(command)));
  return EXIT.done;
}

async function readBody(file: string): Promise<unknown> {
  const name = file === '-' ? 'Standard input' : file;
  let text: string;
  try {
    text = file === '-' ? await readText(process.stdin) : readFileSync(file, 'utf8');
  } catch (error) {
    throw new OperatorError(`${name} cannot be read: ${(error as Error).message}.`, { cause: error });
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch (error) {
    throw new OperatorError(`${name} is not JSON: ${(error as Error).message}.`, { cause: error });
  }
}

async function runLocally(
  name: string,
  body: unknown,
  key: string | undefined,
  settings: Settings,
  log: Logger,
): Promise<CommandResponse> {
  const work = async ({ commandPorts }: Application): Promise<CommandResponse> => {
    try {
      const { command, stream, revision, position, events, result } = await platformCommands(
        commandPorts,
        'command line',
      ).run(name, body, key);
      const eventList = events.map(({ id, storedType }) => ({ id, type: storedType }));
      const outcome = { command, stream, revision, position: String(position), events: eventList, result };
      return { json: JSON.stringify(outcome), ok: true };
    } catch (error) {
      if (error instanceof OperatorError) throw error;
      if (!(error instanceof Refusal)) log.error({ err: error }, 'The command failed');
      const problem = problemResponseOf(asRefusal(error), { requestId: randomUUID(), accept: undefined });
      return { json: problem.body ?? '', ok: false };
    }
  };
  return await withTool(settings, log, work);
}
