import type { IncomingMessage, ServerResponse } from 'node:http';
import { describeError, framesOf } from '../projector/describe-error.ts';

/** The fields that may be logged. A field is listed when every value it can have is free of secrets and personal data. */
export const LOGGED_FIELDS: ReadonlySet<string> = new Set([
  // Requests
  ...['request_id', 'method', 'route', 'status', 'ms', 'key_id', 'code', 'command', 'stream', 'position'],
  // Stores and processes
  ...['store', 'seconds', 'refused', 'reason', 'at', 'pauseMs', 'process', 'failingSince', 'lease', 'token', 'greater'],
  // Read models
  ...['missing', 'collection', 'key', 'eventId', 'type', 'revision', 'parked'],
  // Scheduler and completion of commands
  ...['activation', 'renewal', 'policyId', 'kind', 'day', 'due', 'commandId', 'tries', 'nextTry', 'clock'],
  // Messages and mails
  ...[
    'event_id',
    'event_type',
    'job_id',
    'attempt',
    'is',
    'smtpCode',
    'retryAfterMs',
    'kafka',
    'topic',
    'topics',
    'queue',
  ],
  ...['partition', 'offset', 'jobs', 'requested'],
  // Start and stop
  ...['host', 'port', 'publicUrl', 'dataFolder', 'roles', 'signal'],
]);

/** What is logged instead of the value of any other field. */
export const NOT_LISTED = '[not in LOGGED_FIELDS]';
/** Causes and nested values behind this depth are left out. */
const DEEPEST = 8;
const MOST_ERRORS = 10;

/** How a value of these names is logged, whatever it is. */
export const SERIALIZERS = { err: loggedError, req: loggedRequest, res: loggedResponse } as const;

/** Returns the fields of an object that may be logged, also of the objects in it. Errors are reduced by `loggedError`. */
export function loggedFields(fields: object, depth = 0): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, loggedField(name, value, depth)]));
}

function loggedField(name: string, value: unknown, depth: number): unknown {
  if (Object.hasOwn(SERIALIZERS, name)) return SERIALIZERS[name as keyof typeof SERIALIZERS](value as never);
  // The token of a lease is a number; any other token is a secret.
  if (!LOGGED_FIELDS.has(name) || (name === 'token' && typeof value !== 'number')) return NOT_LISTED;
  return loggedValue(value, depth);
}

function loggedValue(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? '[function]' : value;
  if (value instanceof Error) return loggedError(value);
  if (depth === DEEPEST) return '[too deep]';
  if (Array.isArray(value)) return value.map((entry) => loggedValue(entry, depth + 1));
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);
  return isPlain ? loggedFields(value, depth + 1) : '[object]';
}

/** What is logged of an error, of its causes and of the errors it collects. */
export interface LoggedError {
  readonly type: string;
  /** Of errors whose messages are written not to hold a value of data; other messages quote addresses, passwords and documents. */
  readonly message?: string;
  readonly code?: string | number;
  /** Where it was thrown: the frames alone. */
  readonly stack?: string;
  readonly cause?: LoggedError;
  readonly errors?: readonly LoggedError[];
}

/** Returns what may be logged of what was thrown. */
export function loggedError(thrown: unknown, depth = 0): LoggedError {
  if (!(thrown instanceof Error)) return { type: `thrown ${typeof thrown}` };
  const { name, cause, code, errors } = thrown as Error & { readonly code?: unknown; readonly errors?: unknown };
  const type = /^[\w$ .-]{1,100}$/.test(name) ? name : 'Error';
  const words = describeError(thrown);
  const message = words === name ? undefined : words;
  const frames = framesOf(thrown);
  const inner = depth === DEEPEST ? [] : Array.isArray(errors) ? errors.slice(0, MOST_ERRORS) : [];
  return {
    type,
    ...(message === undefined ? {} : { message }),
    ...(isCode(code) ? { code } : {}),
    ...(frames.length > 0
      ? { stack: [message === undefined ? type : `${type}: ${message}`, ...frames].join('\n') }
      : {}),
    ...(cause === undefined || depth === DEEPEST ? {} : { cause: loggedError(cause, depth + 1) }),
    ...(inner.length > 0 ? { errors: inner.map((one) => loggedError(one, depth + 1)) } : {}),
  };
}

/** A code is a number or a name as `ECONNREFUSED`: nothing that somebody has sent. */
function isCode(code: unknown): code is string | number {
  return typeof code === 'number' || (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,50}$/.test(code));
}

function loggedRequest(request: Partial<IncomingMessage> | undefined): object {
  return { method: request?.method };
}

function loggedResponse(response: Partial<ServerResponse> | undefined): object {
  return { status: response?.statusCode };
}
