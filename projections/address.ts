import type { RawEvent } from '../src/event-sourcing/codec.ts';
import type { EventAddress } from './projection.ts';

const NO_METADATA: Readonly<Record<string, unknown>> = {};

function rawMetadata(event: RawEvent): Readonly<Record<string, unknown>> {
  const { metadata } = event;
  return typeof metadata === 'object' && metadata !== null ? (metadata as Record<string, unknown>) : NO_METADATA;
}

/** Returns the address of an event, also when its data or the rest of its metadata cannot be read. */
export function addressOf(event: RawEvent): EventAddress {
  const { stream, revision, position, type } = event;
  return { stream, revision, position, type, metadata: rawMetadata(event) };
}

/** Returns when an event was recorded, without decoding it; `''` when its metadata have no such text. */
export function recordedAtOf(event: RawEvent): string {
  const { recordedAt } = rawMetadata(event);
  return typeof recordedAt === 'string' ? recordedAt : '';
}
