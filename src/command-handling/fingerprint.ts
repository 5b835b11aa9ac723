import { sha256 } from '../event-sourcing/identifiers.ts';

export interface SentRequest {
  /** The parsed body without defaults; values of a form are coerced. */
  readonly body: unknown;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Returns the SHA-256 that is equal for equal requests. It is stored. */
export function fingerprintOf({ body, parameters }: SentRequest): string {
  // Paging only selects what the response shows, so it does not make another request.
  const { limit: _limit, offset: _offset, ...search } = parameters;
  return sha256(canonicalJson({ body, search }));
}

/** Serialises a JSON value so that equal values give equal text: members sorted by name, no white space. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}
