import type { RawEvent } from '../src/domain/codec.ts';
import type { EventAddress } from './projection.ts';

const NOTHING: Readonly<Record<string, unknown>> = {};

function rawMetadata(event: RawEvent): Readonly<Record<string, unknown>> {
  const { metadata } = event;
  return typeof metadata === 'object' && metadata !== null ? (metadata as Record<string, unknown>) : NOTHING;
}

/** What an event belongs to, also when its data or the rest of its metadata cannot be read. */
export function addressOf(event: RawEvent): EventAddress {
  const { customer, policy, merchant } = rawMetadata(event);
  return {
    stream: event.stream,
    type: event.type,
    metadata: {
      ...(typeof customer === 'string' && { customer }),
      ...(typeof policy === 'string' && { policy }),
      ...(typeof merchant === 'string' && { merchant }),
    },
  };
}

/** When an event was recorded, as far as its metadata tell; `''` when they do not. */
export function recordedAtOf(event: RawEvent): string {
  const { recordedAt } = rawMetadata(event);
  return typeof recordedAt === 'string' ? recordedAt : '';
}
