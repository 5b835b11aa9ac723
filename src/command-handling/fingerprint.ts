import type { IdempotencyRecorded } from '../event-sourcing/system-events.ts';
import { canonicalJson } from './canonical-json.ts';
import type { EventOf } from '../event-sourcing/event.ts';
import { sha256 } from '../event-sourcing/identifiers.ts';

/** The parts of a request that are compared when its idempotency key is used again. */
export interface SentRequest {
  /** The parsed body without defaults; values of a form are coerced. */
  readonly body: unknown;
  /** The query parameters as texts. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The query parameters as version 1 hashed them; left out where they are the same. */
  readonly parametersOfVersion1?: Readonly<Record<string, string>>;
}

/** Fingerprints are stored, so the algorithm of a version never changes. */
export type FingerprintVersion = EventOf<typeof IdempotencyRecorded>['data']['fingerprintVersion'];

/** The version of new fingerprints. */
export const FINGERPRINT_VERSION: FingerprintVersion = 2;

/** Returns the SHA-256 that is equal for equal requests (samples in `test/fingerprints`). */
export function fingerprintOf(request: SentRequest, version: FingerprintVersion): string {
  const { body, parameters, parametersOfVersion1 = parameters } = request;
  // Paging only selects what the response shows, so it does not make another request.
  const { limit: _limit, offset: _offset, ...search } = version === 1 ? parametersOfVersion1 : parameters;
  return sha256(canonicalJson({ body, search }));
}
