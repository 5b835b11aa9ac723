import { wrongField } from '../src/domain/refusals.ts';
import { compareTexts, sha256 } from '../src/event-sourcing/identifiers.ts';
import type { SortKey } from '../src/read-models/read-models.ts';

const CHECKSUM_DIGITS = 32;

export interface CursorScope {
  readonly list: string;
  /** Merchant and mode. */
  readonly owner: string;
  readonly filters: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the cursor of a sort key in a list. It contains a checksum of sort key and list, which finds mistakes; it needs no secret, because
 * a sort key gives access to nothing.
 */
export function cursorOf(scope: CursorScope, { createdAt, key }: SortKey): string {
  return Buffer.from(JSON.stringify([createdAt, key, checksumOf(scope, { createdAt, key })])).toString('base64url');
}

/** Returns the sort key of a cursor. @throws {Refusal} `invalid_request` naming the parameter when `cursorOf` did not make it for this list */
export function sortKeyOfCursor(scope: CursorScope, cursor: string, parameter: 'after' | 'before' = 'after'): SortKey {
  const sortKey = parseSortKey(cursor);
  if (sortKey !== undefined && cursorOf(scope, sortKey) === cursor) return sortKey;
  const link = parameter === 'after' ? 'next' : 'previous';
  throw wrongField(parameter, `must be the cursor in a \`${link}\` of this list, with the same filters`);
}

function checksumOf({ list, owner, filters }: CursorScope, { createdAt, key }: SortKey): string {
  const given = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => compareTexts(a, b));
  return sha256(JSON.stringify([list, owner, given, createdAt, key])).slice(0, CHECKSUM_DIGITS);
}

function parseSortKey(cursor: string): SortKey | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const [createdAt, key] = Array.isArray(parts) ? (parts as unknown[]) : [];
    return typeof createdAt === 'string' && typeof key === 'string' ? { createdAt, key } : undefined;
  } catch {
    return undefined;
  }
}
