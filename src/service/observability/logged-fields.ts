import type { IncomingMessage, ServerResponse } from 'node:http';
import { describeError, framesOf } from './describe-error.ts';

/** Fields that may be logged: their values never contain secrets or personal data. */
export const LOGGED_FIELDS: ReadonlySet<string> = new Set([
  // Requests
  'request_id',
  'method',
  'route',
  'status',
  'ms',
  'key_id',
  'person_id',
  'code',
  'command',
  'stream',
  'position',
  'trace_id',
  // Stores and processes
  'store',
  'seconds',
  'refused',
  'reason',
  'at',
  'pauseMs',
  'process',
  'failingSince',
  'lease',
  'token',
  'greater',
  // Read models
  'missing',
  'collection',
  'collections',
  'key',
  'revision',
  'parked',
  'generation',
  // Scheduler and completion of commands
  'activation',
  'renewal',
  'policyId',
  'kind',
  'day',
  'due',
  'commandId',
  'attempts',
  'nextAttempt',
  'clock',
  // Messages and mails
  'event_id',
  'event_type',
  'job_id',
  'attempt',
  'outcome',
  'smtpCode',
  'retryAfterMs',
  'kafka',
  'topic',
  'topics',
  'queue',
  'partition',
  'offset',
  'jobs',
  'requested',
  // Start and stop
  'host',
  'port',
  'publicUrl',
  'dataFolder',
  'roles',
  'eventLog',
  'readModels',
  'messages',
  'signal',
  'variable',
  'products',
  'policies',
  'claims',
]);

export const NOT_LISTED = '[not in LOGGED_FIELDS]';
const MAX_DEPTH = 8;
const MAX_ERRORS = 10;

export const SERIALIZERS = { err: loggedError, req: loggedRequest, res: loggedResponse } as const;

/** Returns the loggable fields of an object, recursively. Errors are serialised by `loggedError`. */
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
  if (depth === MAX_DEPTH) return '[too deep]';
  if (Array.isArray(value)) return value.map((entry) => loggedValue(entry, depth + 1));
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);
  return isPlain ? loggedFields(value, depth + 1) : '[object]';
}

interface LoggedError {
  readonly type: string;
  /** Only of Surety's errors; messages of libraries may quote addresses, passwords and documents. */
  readonly message?: string;
  readonly code?: string | number;
  readonly stack?: string;
  readonly cause?: LoggedError;
  readonly errors?: readonly LoggedError[];
}

export function loggedError(thrown: unknown, depth = 0): LoggedError {
  if (!(thrown instanceof Error)) return { type: `thrown ${typeof thrown}` };
  const { name, cause, code, errors } = thrown as Error & { readonly code?: unknown; readonly errors?: unknown };
  const type = /^[\w$ .-]{1,100}$/.test(name) ? name : 'Error';
  const description = describeError(thrown);
  const message = description === name ? undefined : description;
  const frames = framesOf(thrown);
  const inner = depth === MAX_DEPTH ? [] : Array.isArray(errors) ? errors.slice(0, MAX_ERRORS) : [];
  return {
    type,
    ...(message === undefined ? {} : { message }),
    ...(isCode(code) ? { code } : {}),
    ...(frames.length > 0
      ? { stack: [message === undefined ? type : `${type}: ${message}`, ...frames].join('\n') }
      : {}),
    ...(cause === undefined || depth === MAX_DEPTH ? {} : { cause: loggedError(cause, depth + 1) }),
    ...(inner.length > 0 ? { errors: inner.map((one) => loggedError(one, depth + 1)) } : {}),
  };
}

/** Accepts numbers and names like `ECONNREFUSED`, which contain no input. */
function isCode(code: unknown): code is string | number {
  return typeof code === 'number' || (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,50}$/.test(code));
}

function loggedRequest(request: Partial<IncomingMessage> | undefined): object {
  return { method: request?.method };
}

function loggedResponse(response: Partial<ServerResponse> | undefined): object {
  return { status: response?.statusCode };
}
