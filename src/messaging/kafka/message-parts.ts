import type { IHeaders } from 'kafkajs';
import type { Moment } from '../../domain/dates.ts';

/** Ids of Surety's own are shorter; kafkajs would take minutes over the partition of a key of a megabyte, and stop all else. */
const LONGEST_ID_BYTES = 200;

/** The id that a key is; undefined where a stranger gave none, or one that no id is. */
export function idIn(key: Buffer | null): string | undefined {
  if (key === null || key.length === 0 || key.length > LONGEST_ID_BYTES) return undefined;
  const text = key.toString();
  return Buffer.from(text).equals(key) ? text : undefined;
}

/** The JSON of a message; text that is not JSON stays text. */
export function bodyOf(value: Buffer | null): unknown {
  const text = value?.toString() ?? '';
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A header; of several of one name the first. */
export function textIn(headers: IHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0]?.toString() : value?.toString();
}

/** A header that is an offset; undefined when it is none. */
export function numberIn(headers: IHeaders, name: string): bigint | undefined {
  const text = textIn(headers, name);
  return text !== undefined && /^\d+$/.test(text) ? BigInt(text) : undefined;
}

/** When a message was written, of which Kafka keeps the milliseconds; undefined when whoever wrote it did not say. */
export function momentOf(timestamp: string): Moment | undefined {
  const date = new Date(/^\d+$/.test(timestamp) ? Number(timestamp) : Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
