import { schemaOrigin, type Settings } from '#service/config/config.ts';
import type { Logger } from '#service/observability/logging.ts';
import { parseWords } from './arguments.ts';
import { EXIT, OperatorError, WrongUse } from './outcome.ts';
import { platformCommands, type PlatformCommands } from './platform-commands.ts';
import { commandCall, REQUEST_RETRY_MS, SERVICE_OPTIONS, serviceOf, withClient } from './service.ts';
import { withTool } from './with-application.ts';
import { Refusal } from '#domain/refusals.ts';

export const SIGN_IN_OPTIONS = SERVICE_OPTIONS;

/** `surety sign-in PERSON_ID|E-MAIL`: prints the address with which the person signs in to the console, once. */
export async function runSignIn(words: readonly string[], settings: Settings, log: Logger): Promise<number> {
  const { values, positionals } = parseWords(words, SIGN_IN_OPTIONS);
  const [person, ...rest] = positionals;
  if (person === undefined || rest.length > 0) throw new WrongUse('surety sign-in needs one PERSON_ID or E-MAIL.');
  const body = person.includes('@') ? { email: person } : { person_id: person };
  const service = serviceOf(values, settings);
  const ticket =
    service === undefined
      ? await withTool(
          settings,
          log,
          async ({ commandPorts }) => await issueTicket(platformCommands(commandPorts, 'command line'), body),
        )
      : await withClient(service, settings, REQUEST_RETRY_MS, async ({ http }) => {
          const { body: outcome } = await http.send<Outcome>(commandCall('IssueTicket', body));
          return outcome.result.ticket;
        });
  if (ticket === null) throw new OperatorError('The response with the ticket was lost: run the command again.');
  const url = values.url ?? settings.publicUrl ?? service?.url ?? schemaOrigin(settings);
  process.stdout.write(`${ticketUrl(url, ticket)}\n`);
  return EXIT.done;
}

interface Outcome {
  /** Null when the first response was lost. */
  readonly result: { readonly ticket: string | null };
}

/** @throws {OperatorError} when the command is refused */
async function issueTicket(commands: PlatformCommands, body: object): Promise<string> {
  try {
    return String((await commands.run('IssueTicket', body)).result.ticket);
  } catch (error) {
    throw error instanceof Refusal ? new OperatorError(`${error.message}.`, { cause: error }) : error;
  }
}

export function ticketUrl(url: string, ticket: string): string {
  return `${url.replace(/\/$/, '')}/console/#ticket=${ticket}`;
}
