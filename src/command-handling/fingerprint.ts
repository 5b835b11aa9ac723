import type { IdempotencyRecorded } from '../event-sourcing/system-events.ts';
import { canonicalJson } from './canonical-json.ts';
import type { EventOf } from '../event-sourcing/event.ts';
import { sha256 } from '../event-sourcing/identifiers.ts';

/** A request as it was sent, for the comparison with other requests that have the same idempotency key. */
export interface SentRequest {
  /** From the root of the service, decoded, without the slash at its end. */
  readonly path: string;
  /** The parsed body; of a form with its values coerced. Without defaults. */
  readonly body: unknown;
  /** The parameters of the query string as texts. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** The version of a recipe. Fingerprints are stored, so a recipe never changes: a change is a new version. */
export type FingerprintVersion = EventOf<typeof IdempotencyRecorded>['data']['fingerprintVersion'];

/** The version of the fingerprints that are stored now. */
export const FINGERPRINT_VERSION: FingerprintVersion = 2;

/** Returns the SHA-256 of what makes two requests with the same idempotency key the same request (`test/fingerprints`). */
export function fingerprintOf({ path, body, parameters }: SentRequest, version: FingerprintVersion): string {
  // The page that the answer shows is no part of the request: the same key on another page shows what was made already.
  const { limit: _limit, offset: _offset, ...others } = parameters;
  const search = version === 1 && path === '/api/v1/quotes' ? quoteSearchOfVersion1(others) : others;
  return sha256(canonicalJson({ body, search }));
}

/** Version 1 had the parameters as they were parsed: trimmed, with the default of the sorting. */
function quoteSearchOfVersion1(parameters: SentRequest['parameters']): object {
  const trimmed = Object.entries(parameters).map(([name, value]) => [name, value.trim()] as const);
  return { sort_by: 'cheapest', ...Object.fromEntries(trimmed) };
}
