import type { Problem } from './api-types.ts';
import type { Failure } from './errors.ts';

/** Encodes a body, once for all attempts: a form contains a random boundary. */
export async function encodeBody(
  content: object | undefined,
): Promise<{ readonly body?: string | ArrayBuffer; readonly contentType?: string }> {
  if (content === undefined) return {};
  if (!(content instanceof FormData)) return { body: JSON.stringify(content), contentType: 'application/json' };
  const encoded = new Response(content);
  return { body: await encoded.arrayBuffer(), contentType: encoded.headers.get('content-type') ?? '' };
}

/** Returns the query string, without parameters that are undefined. */
export function searchOf(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return search === '' ? '' : `?${search}`;
}

/** Makes an id for a key or a request. */
export function randomId(): string {
  // Node makes it from random bytes that it has fetched for many; a page over HTTP has none.
  const uuid = (crypto as Partial<typeof crypto>).randomUUID?.();
  if (uuid !== undefined) return uuid.replaceAll('-', '');
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Parses JSON; returns undefined for a text that is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the milliseconds of `Retry-After`; undefined without the header. */
export function retryAfterOf({ headers }: Response): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1_000;
  // A proxy may send a date (RFC 9110, 10.2.3).
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

/**
 * Reads the problem of the service (RFC 9457); returns undefined for any other body.
 * @throws when the body of a refusal breaks off: only a repeated request returns the reason. The other statuses say
 * enough.
 */
export async function readFailure(response: Response): Promise<Failure | undefined> {
  const isRefusal = response.status < 500 && response.status !== 408 && response.status !== 429;
  const text = response.text();
  const problem = parseJson(isRefusal ? await text : await text.catch(() => ''));
  if (!isProblem(problem)) return undefined;
  const { code, detail, errors = [] } = problem;
  return { status: response.status, code, detail, errors, problem };
}

function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false;
  const { code, detail, errors } = value as Readonly<Record<string, unknown>>;
  return typeof code === 'string' && typeof detail === 'string' && (errors === undefined || isFieldErrors(errors));
}

function isFieldErrors(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  const items: readonly unknown[] = value;
  return items.every(
    (item) => typeof item === 'object' && item !== null && 'field' in item && typeof item.field === 'string',
  );
}

/** Waits. @throws the reason of the signal */
export async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(end, ms);
    function end(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    }
    signal?.addEventListener('abort', end);
    if (signal?.aborted === true) end();
  });
  signal?.throwIfAborted();
}
