import type { IdempotencyRecorded } from '../event-sourcing/system-events.ts';
import { canonicalJson } from './canonical-json.ts';
import type { EventOf } from '../event-sourcing/event.ts';
import { sha256 } from '../event-sourcing/identifiers.ts';

/** The parts of a request that are compared when its idempotency key is used again. */
export interface SentRequest {
  /** Decoded, from the root of the service, without a trailing slash. */
  readonly path: string;
  /** The parsed body without defaults; values of a form are coerced. */
  readonly body: unknown;
  /** The query parameters as texts. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Fingerprints are stored, so the algorithm of a version never changes. */
export type FingerprintVersion = EventOf<typeof IdempotencyRecorded>['data']['fingerprintVersion'];

/** The version of new fingerprints. */
export const FINGERPRINT_VERSION: FingerprintVersion = 2;

/** Returns the SHA-256 that is equal for equal requests (samples in `test/fingerprints`). */
export function fingerprintOf({ path, body, parameters }: SentRequest, version: FingerprintVersion): string {
  // Paging only selects what the response shows, so it does not make another request.
  const { limit: _limit, offset: _offset, ...others } = parameters;
  const search = version === 1 && path === '/api/v1/quotes' ? quoteSearchOfVersion1(others) : others;
  return sha256(canonicalJson({ body, search }));
}

/** Version 1 hashed the parsed parameters: trimmed, with the default of `sort_by`. */
function quoteSearchOfVersion1(parameters: SentRequest['parameters']): object {
  const trimmed = Object.entries(parameters).map(([name, value]) => [name, value.trim()] as const);
  return { sort_by: 'cheapest', ...Object.fromEntries(trimmed) };
}
