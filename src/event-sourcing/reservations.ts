import { normalise, sha256 } from './identifiers.ts';

/** Returns the stream that reserves a value. It is appended with "no stream", so only one owner gets it, and never released. */
export function reservationStream(kind: string, scope: string, value: string): string {
  return `${kind}-${scope}-${sha256(normalise(value))}`;
}
