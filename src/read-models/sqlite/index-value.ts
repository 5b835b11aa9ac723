import type { SQLInputValue } from 'node:sqlite';

import type { Row } from '../../sqlite/database.ts';
import type { IndexValue } from '../read-models.ts';

// SQLite has no booleans; blobs of one byte are distinct from the numbers 0 and 1.
const TRUE = Uint8Array.of(1);
const FALSE = Uint8Array.of(0);

export function encodeIndex(value: IndexValue): SQLInputValue {
  return typeof value === 'boolean' ? (value ? TRUE : FALSE) : value;
}

export function decodeIndex(value: Row[number] | undefined): IndexValue {
  return typeof value === 'object' && value !== null ? value[0] === 1 : (value ?? null);
}
