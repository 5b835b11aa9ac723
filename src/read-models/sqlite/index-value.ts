import type { SQLInputValue } from 'node:sqlite';

import type { Row } from '../../sqlite/database.ts';
import type { IndexValue } from '../read-models.ts';

/** SQLite knows no booleans; as one byte they can be told from the numbers 0 and 1. */
const yes = Uint8Array.of(1);
const no = Uint8Array.of(0);

export function encodeIndex(value: IndexValue): SQLInputValue {
  return typeof value === 'boolean' ? (value ? yes : no) : value;
}

export function decodeIndex(value: Row[number] | undefined): IndexValue {
  return typeof value === 'object' && value !== null ? value[0] === 1 : (value ?? null);
}
