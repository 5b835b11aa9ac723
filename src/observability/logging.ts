import { type DestinationStream, type LogFn, type Logger, type LoggerOptions, pino } from 'pino';
import pretty from 'pino-pretty';
import type { Settings } from '../config.ts';
import { loggedError, loggedFields, SERIALIZERS } from './logged-fields.ts';
import { redacted } from './redaction.ts';

export type { Logger };

/**
 * Creates the log, on stderr, so that stdout is free for the result of a command: JSON lines, or readable lines on a terminal. It writes
 * the fields of `LOGGED_FIELDS` and nothing else; what still looks like a secret is redacted in the finished line.
 * @param destination receives the lines instead of stderr
 */
export function createLogger(settings: Pick<Settings, 'logLevel'>, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level: settings.logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }), log: (fields) => loggedFields(fields) },
    // Fields come from the formatter as they are to be written; these replace pino's own, which write all of an error.
    serializers: Object.fromEntries(Object.keys(SERIALIZERS).map((name) => [name, (value: unknown) => value])),
    hooks: { logMethod, streamWrite: redacted },
  };
  const log = pino(options, destination ?? onStderr());
  // pino writes the fields of a child without asking the formatter.
  const makeChild = Reflect.get(log, 'child') as unknown as (this: Logger, fields: object) => Logger;
  return Object.assign(log, {
    child(this: Logger, fields: object): Logger {
      return makeChild.call(this, loggedFields(fields));
    },
  });
}

function onStderr(): DestinationStream {
  if (!process.stderr.isTTY) return pino.destination({ dest: 2, sync: true });
  return pretty({ destination: 2, sync: true, colorize: true, translateTime: 'SYS:HH:MM:ss' });
}

/** Passes on fields and message. pino would take the message of an error for a missing one, and write further arguments into it. */
function logMethod(this: Logger, [first, message]: Parameters<LogFn>, method: LogFn): void {
  const given = typeof message === 'string' ? message : undefined;
  if (typeof first === 'string') method.call(this, first);
  else if (first instanceof Error) method.call(this, { err: first }, given ?? loggedError(first).type);
  else method.call(this, typeof first === 'object' ? first : {}, given ?? '');
}
