import { type DestinationStream, type LogFn, type Logger, type LoggerOptions, pino } from 'pino';
import { prettyFactory, type PrettyOptions } from 'pino-pretty';
import type { Settings } from '../config/config.ts';
import { LossyWriter } from './lossy-writer.ts';
import { loggedError, loggedFields, SERIALIZERS } from './logged-fields.ts';
import { activeTrace } from './traces.ts';

export type { Logger };

/**
 * Creates the logger, which writes to stderr: JSON lines, or readable lines on a terminal. It writes only the fields of
 * `LOGGED_FIELDS`, and redacts text that looks like a secret. Lines that are written while a trace is active have its
 * `trace_id`.
 * @param destination receives the lines instead of stderr
 */
export function createLogger(settings: Pick<Settings, 'logLevel'>, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level: settings.logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: activeTrace,
    formatters: { level: (label) => ({ level: label }), log: (fields) => loggedFields(fields) },
    // Replace pino's serializers, which write all fields of an error; the formatter has already serialised it.
    serializers: Object.fromEntries(Object.keys(SERIALIZERS).map((name) => [name, (value: unknown) => value])),
    hooks: { logMethod, streamWrite: redact },
  };
  const log = pino(options, destination ?? onStderr());
  // pino does not pass the fields of a child logger to the formatter.
  const makeChild = Reflect.get(log, 'child') as unknown as (this: Logger, fields: object) => Logger;
  return Object.assign(log, {
    child(this: Logger, fields: object): Logger {
      return makeChild.call(this, loggedFields(fields));
    },
  });
}

/** Writes the log of this process. */
export const stderrLog = new LossyWriter(2);

function onStderr(): DestinationStream {
  return process.stderr.isTTY ? linesForTerminal(stderrLog, { colorize: true }) : stderrLog;
}

/** Writes one line for each entry; only the stack of an error follows below its line. */
export function linesForTerminal(
  destination: DestinationStream,
  options: Pick<PrettyOptions, 'colorize'>,
): DestinationStream {
  const format = prettyFactory({ ...options, singleLine: true, translateTime: 'SYS:HH:MM:ss' });
  return { write: (line) => destination.write(format(line)) };
}

/**
 * Passes fields and message to pino, which would use an error's message as default and interpolate additional
 * arguments.
 */
function logMethod(this: Logger, [first, message]: Parameters<LogFn>, method: LogFn): void {
  const text = typeof message === 'string' ? message : undefined;
  if (typeof first === 'string') method.call(this, first);
  else if (first instanceof Error) method.call(this, { err: first }, text ?? loggedError(first).type);
  else method.call(this, typeof first === 'object' ? first : {}, text ?? '');
}

const CENSORED = '[redacted]';

/**
 * What stands before an `@` is bounded, because a line may quote what a client sent: without bounds they take quadratic
 * time.
 */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s"'<>]{0,600}@/gi, `$1${CENSORED}@`],
  [/\bsk_(live|test|platform)_\w+/g, CENSORED],
  [/\b(bearer|basic)\s+[\w.~+/=-]+/gi, `$1 ${CENSORED}`],
  // A named value, as in `token=…` or `password: …`, also with escaped quotes inside a JSON string.
  [
    /(password|passwd|secret|token|api[_-]?key|authorization)((?:\\+")?\s*[=:]\s*(?:\\+")?)[^\s"'\\,;&)}\]]+/gi,
    `$1$2${CENSORED}`,
  ],
  [/[^\s"'<>()[\]\\,;:=@]{1,64}@[^\s"'<>()[\]\\,;:=@]+\.[\p{L}\d-]{2,}/gu, CENSORED],
];

/** Redacts text that looks like a secret or an e-mail address in a log line. JSON stays valid. */
function redact(line: string): string {
  return PATTERNS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line);
}
