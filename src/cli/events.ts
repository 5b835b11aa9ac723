import { z } from 'zod';
import type { SuretyError } from '#client/errors.ts';
import { readFeed } from '#client/feed.ts';
import { listNearest } from '#event-sourcing/executor/plain-messages.ts';
import { PUBLIC_EVENTS } from '#public-events/translate.ts';
import type { Settings } from '#service/config/config.ts';
import { parseOptions } from './arguments.ts';
import { escapeControls, EXIT, OperatorError, WrongUse, writeOut } from './outcome.ts';
import {
  describeFailure,
  problemIn,
  REQUEST_RETRY_MS,
  requireService,
  SERVICE_OPTIONS,
  withClient,
} from './service.ts';

const PAGE_LIMIT = 1_000;

export const EVENTS_OPTIONS = {
  follow: { type: 'boolean', default: false, help: 'waits for further events until it is interrupted' },
  after: {
    type: 'string',
    value: 'POSITION',
    expects: 'a position in the log',
    help: 'prints only events after this position in the log: a header Surety-Position, such as that of api/v1/events/?limit=1 to start from now',
  },
  'last-event-id': {
    type: 'string',
    value: 'ID',
    expects: 'the id of an event',
    help: 'prints only events after this one. Default: all events',
  },
  types: {
    type: 'string',
    value: 'A,B',
    expects: 'full types of public events, separated by commas',
    help: 'prints only events of these types, by their full names, of all that it reads',
  },
  'test-mode': { type: 'boolean', default: false, help: 'for platform keys: events of the test mode' },
  ...SERVICE_OPTIONS,
} as const;

interface PublicEvent {
  readonly id: string;
  readonly type: string;
  readonly time: string;
  readonly subject: string;
  readonly data?: unknown;
}

/**
 * `surety events`: prints the public events of a running service, one line an event; exits with 1 if the response is a
 * problem.
 */
export async function runEvents(words: readonly string[], settings: Settings): Promise<number> {
  const values = parseOptions('surety events', words, EVENTS_OPTIONS);
  const types = values.types?.split(',').map((type) => type.trim());
  checkTypes(types);
  const service = requireService('surety events', values, settings);
  const { after, 'last-event-id': lastEventId, follow } = values;
  if (after !== undefined && lastEventId !== undefined)
    throw new WrongUse('surety events takes --after or --last-event-id, not both.');
  const begin = lastEventId === undefined ? { after: after ?? '0' } : { lastEventId };
  const query = { ...begin, limit: PAGE_LIMIT, test_mode: values['test-mode'] ? true : undefined };
  const onRetry = (error: SuretyError): void => {
    if (follow) process.stderr.write(`${escapeControls(describeFailure(service.url, error))}\n`);
  };
  return await withClient(service, settings, follow ? Infinity : REQUEST_RETRY_MS, async ({ http }) => {
    try {
      for await (const event of readFeed(http, query, { follow, onRetry })) {
        if (types?.includes(event.type) === false) continue;
        // The reader of the pipe has seen enough.
        if ((await printEvent(event)) === 'closed') break;
      }
      return EXIT.done;
    } catch (error) {
      // Not among the events.
      process.stderr.write(`${escapeControls(problemIn(error))}\n`);
      return EXIT.failed;
    }
  });
}

/** @throws {WrongUse} naming the types that are like an unknown one */
function checkTypes(types: readonly string[] = []): void {
  const known = PUBLIC_EVENTS.map(({ type }) => type);
  const unknown = types.find((type) => !known.includes(type));
  if (unknown !== undefined)
    throw new WrongUse(`--types: ${JSON.stringify(unknown)} is not known; known: ${listNearest([unknown], known)}.`);
}

/** Prints an event; returns `closed` when its reader has closed the pipe. @throws {OperatorError} */
async function printEvent(event: PublicEvent): Promise<'printed' | 'closed'> {
  try {
    await writeOut(`${lineOf(event)}\n`);
    return 'printed';
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EPIPE') return 'closed';
    throw new OperatorError(`Events cannot be written: ${message}.`, { cause: error });
  }
}

function lineOf(event: PublicEvent): string {
  return escapeControls(process.stdout.isTTY ? shortLineOf(event) : JSON.stringify(event));
}

/**
 * Returns an event in one short line: time, type, what it is about (number, person and amount, as far as it has them),
 * subject and id.
 */
export function shortLineOf({ time, type, data, subject, id }: PublicEvent): string {
  const about = labelSchema.safeParse(data);
  const { currency, customer_reference: person, ...named } = about.success ? about.data : {};
  const number = named.claim_reference_number ?? named.policy_number ?? named.short_code ?? named.name;
  const amount = named.payment?.amount ?? named.amount ?? named.claim_amount ?? named.premium ?? named.base_premium;
  const money = typeof amount === 'string' ? [amount, currency].filter(isGiven).join(' ') : undefined;
  return [time, type, number, person, money, subject, id].filter(isGiven).join('  ');
}

function isGiven(text: string | null | undefined): text is string {
  return typeof text === 'string';
}

const optionalText = z.string().nullish();
const labelSchema = z.object({
  claim_reference_number: optionalText,
  policy_number: optionalText,
  short_code: optionalText,
  name: optionalText,
  customer_reference: optionalText,
  payment: z.object({ amount: optionalText }).nullish(),
  amount: optionalText,
  claim_amount: optionalText,
  premium: optionalText,
  base_premium: optionalText,
  currency: optionalText,
});
