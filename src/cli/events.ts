import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Settings } from '#service/config/config.ts';
import { parseOptions } from './arguments.ts';
import { escapeControls, EXIT, OperatorError, WrongUse, writeOut } from './outcome.ts';
import { getResponse, parseJson, REQUEST_RETRY_MS, requireService, SERVICE_OPTIONS, withClient } from './service.ts';
import { type ServiceClient, type ServiceResponse, ServiceUnreachable } from './service-client.ts';

const PAGE_LIMIT = 1_000;
/** How long a request waits for an event. A client waits longer for the response. */
const POLL_MS = 20_000;
const RETRY_AFTER_S = 1;

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

const eventSchema = z.looseObject({ id: z.string(), type: z.string(), time: z.string(), subject: z.string() });
type PublicEvent = z.output<typeof eventSchema>;

/** `surety events`: prints the public events of a running service, one line an event; exits with 1 if the response is a problem. */
export async function runEvents(words: readonly string[], settings: Settings): Promise<number> {
  const values = parseOptions('surety events', words, EVENTS_OPTIONS);
  const service = requireService('surety events', values, settings);
  const { after, 'last-event-id': lastEventId, follow } = values;
  if (after !== undefined && lastEventId !== undefined)
    throw new WrongUse('surety events takes --after or --last-event-id, not both.');
  const types = values.types?.split(',').map((type) => type.trim());
  const parameters = new URLSearchParams({
    limit: String(PAGE_LIMIT),
    ...(follow ? { timeout: String(POLL_MS) } : {}),
    ...(lastEventId === undefined ? { after: after ?? '0' } : { lastEventId }),
    ...(values['test-mode'] ? { test_mode: 'true' } : {}),
  });
  return await withClient(service, settings, follow ? 0 : REQUEST_RETRY_MS, async (client) => {
    for (;;) {
      const askedAt = performance.now();
      const path = `api/v1/events/?${parameters.toString()}`;
      const response = follow ? await getUnlessDown(client, path) : await getResponse(client, path);
      if (response === undefined) continue;
      if (response.status >= 300) {
        // Not among the events.
        process.stderr.write(`${escapeControls(response.text)}\n`);
        return EXIT.failed;
      }
      const events = eventsIn(response);
      const wanted = events.filter(({ type }) => types?.includes(type) !== false);
      // The reader of the pipe has seen enough.
      if ((await printEvents(wanted)) === 'closed') return EXIT.done;
      const last = events.at(-1);
      if (last === undefined) {
        if (!follow) return EXIT.done;
        // The service does not wait for each request.
        const isEarly = performance.now() - askedAt < POLL_MS / 2;
        if (isEarly) await pause((response.retryAfter ?? RETRY_AFTER_S) * 1_000);
        continue;
      }
      parameters.delete('after');
      parameters.set('lastEventId', last.id);
    }
  });
}

/** Gets a path; reports a service that is not available, pauses, and returns undefined. */
async function getUnlessDown(client: ServiceClient, path: string): Promise<ServiceResponse | undefined> {
  try {
    return await client.get(path);
  } catch (error) {
    if (!(error instanceof ServiceUnreachable)) throw error;
    process.stderr.write(`${error.message}${reasonIn(error.response)}\n`);
    await pause((error.response?.retryAfter ?? RETRY_AFTER_S) * 1_000);
    return undefined;
  }
}

/** Returns the detail of a problem, and the position that it names, to be added to a sentence. */
function reasonIn(response: ServiceResponse | undefined): string {
  const problem = problemSchema.safeParse(parseJson(response?.text ?? ''));
  if (!problem.success) return '';
  const { detail, position } = problem.data;
  return ` ${detail}${position === undefined ? '' : ` (position ${position})`}.`;
}

const problemSchema = z.object({ detail: z.string(), position: z.string().optional() });

/** @throws {OperatorError} */
function eventsIn({ text }: ServiceResponse): readonly PublicEvent[] {
  const events = parseJson(text);
  if (!z.array(eventSchema).safeParse(events).success)
    throw new OperatorError('The service responds with no list of events.');
  // As they were served, in the order of their members.
  return events as readonly PublicEvent[];
}

/** Prints events; returns `closed` when their reader has closed the pipe. @throws {OperatorError} */
async function printEvents(events: readonly PublicEvent[]): Promise<'printed' | 'closed'> {
  for (const event of events) {
    try {
      await writeOut(`${lineOf(event)}\n`);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'EPIPE') return 'closed';
      throw new OperatorError(`Events cannot be written: ${message}.`, { cause: error });
    }
  }
  return 'printed';
}

function lineOf(event: PublicEvent): string {
  return escapeControls(process.stdout.isTTY ? shortLineOf(event) : JSON.stringify(event));
}

/** Returns an event in one short line: time, type, what it is about (number, person and amount, as far as it has them), subject and id. */
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
