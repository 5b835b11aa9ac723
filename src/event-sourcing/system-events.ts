import { z } from 'zod';
import { instant } from './time.ts';
import { defineEvent } from './event.ts';
import { sha256 } from './identifiers.ts';

export const idempotencyStream = (commandId: string): string => `idempotency-${commandId}`;

/** The record alone promises nothing (`docs/decisions/0001-idempotency-records-live-in-the-event-store.md`). */
export const IdempotencyRecorded = defineEvent(
  'IdempotencyRecorded.v1',
  'A command with an idempotency key was accepted and is about to be executed.',
  {
    fingerprint: z.string().describe('SHA-256 of the request.'),
    target: z.string().describe('Stream of the command, which is done once its id is there.'),
    decidedAt: instant.describe('Time of the decision; a later execution of the command uses the same.'),
  },
);

/** Returns the stream of a sequence of numbers. The number of an entry is 1 + its revision. */
export const sequenceStream = (name: string): string => `sequence-${name}`;
export const NumberTaken = defineEvent('NumberTaken.v1', 'A command took the number 1 + the revision of this event.', {
  commandId: z.string(),
});

export const parkedStream = (collection: string, key: string): string => `parked-${collection}-${sha256(key)}`;
export const ParkedRetryRequested = defineEvent('ParkedRetryRequested.v1', 'A parked document is to be folded again.', {
  collection: z.string(),
  key: z.string(),
});

export const REBUILDS_STREAM = 'rebuilds';
export const RebuildRequested = defineEvent(
  'RebuildRequested.v1',
  'The read models are to be built again from the log.',
  { rebuildId: z.uuid() },
);
