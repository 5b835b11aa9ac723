import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { text as readText } from 'node:stream/consumers';
import { adminCommands } from '../admin/admin-commands.ts';
import type { Settings } from '../config.ts';
import type { Application } from '../composition/application.ts';
import { Refusal } from '../domain/refusals.ts';
import { asRefusal, problemAnswer } from '../http/messages/problem.ts';
import type { Logger } from '../observability/logging.ts';
import { parseWords } from './arguments.ts';
import { asTool, withApplication } from './with-application.ts';
import { OperatorError, EXIT, WrongUse } from './outcome.ts';
import { checkServiceOptions, clientOf, SERVICE_OPTIONS } from './service.ts';

const RETRY_FOR_MS = 5_000;

interface CommandResponse {
  readonly json: string;
  readonly ok: boolean;
}

/** `surety command NAME FILE`: prints the answer of the command, or the problem, as JSON. */
export async function runCommand(words: readonly string[], settings: Settings, log: Logger): Promise<number> {
  const { values, positionals } = parseWords(words, {
    'idempotency-key': { type: 'string', expects: 'a key with which the command is executed once' },
    ...SERVICE_OPTIONS,
  });
  const [name, file, ...rest] = positionals;
  if (name === undefined || file === undefined)
    throw new WrongUse('surety command needs a NAME and a FILE (- for standard input).');
  if (rest.length > 0)
    throw new WrongUse(`surety command takes one NAME and one FILE; ${rest.join(' ')} is not expected.`);
  checkServiceOptions(values);
  const body = await readBody(file);
  const key = values['idempotency-key'];
  const { url } = values;
  const response =
    url === undefined
      ? await runLocally(name, body, key, settings, log)
      : await runOverHttp(name, body, key, clientOf({ ...values, url }, settings, RETRY_FOR_MS));
  process.stdout.write(`${response.json}\n`);
  return response.ok ? EXIT.done : EXIT.failed;
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

async function runOverHttp(
  name: string,
  body: unknown,
  key: string | undefined,
  client: ReturnType<typeof clientOf>,
): Promise<CommandResponse> {
  try {
    // With a key, the command can be sent again after a connection error.
    const { status, text } = await client.postCommand(name, body, key ?? randomUUID());
    return { json: text, ok: status >= 200 && status < 300 };
  } finally {
    client.close();
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
      const { command, stream, revision, position, events, result } = await adminCommands(commandPorts).run(
        name,
        body,
        key,
      );
      const eventList = events.map(({ id, storedType }) => ({ id, type: storedType }));
      const outcome = { command, stream, revision, position: String(position), events: eventList, result };
      return { json: JSON.stringify(outcome), ok: true };
    } catch (error) {
      if (error instanceof OperatorError) throw error;
      if (!(error instanceof Refusal)) log.error({ err: error }, 'The command failed');
      const problem = problemAnswer(asRefusal(error), { requestId: randomUUID(), accept: undefined });
      return { json: problem.body ?? '', ok: false };
    }
  };
  return await withApplication(asTool(settings), log, work, { knowsUrl: true });
}
