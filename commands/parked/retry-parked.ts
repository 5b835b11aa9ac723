import { z } from 'zod';
import type { Aggregate } from '../../src/event-sourcing/aggregate.ts';
import { ParkedRetryRequested, parkedStream } from '../../src/event-sourcing/system-events.ts';
import type { EventOf, NewEvent } from '../../src/event-sourcing/event.ts';
import { defineCommand } from '../../src/command-handling/command.ts';

type RetryEvent = EventOf<typeof ParkedRetryRequested>;

/** The read models whose documents can be parked; commands may not import them, so their names stand here too. */
export const PARKABLE_COLLECTIONS = [
  'policies',
  'claims',
  'customers',
  'merchants',
  'environments',
  'products',
  'providers',
  'mail_jobs',
] as const;

const input = z.strictObject({
  collection: z.enum(PARKABLE_COLLECTIONS),
  key: z.string().min(1, 'must not be empty').max(255, 'must have at most 255 characters'),
});

/** The requests of one document; all there is to know of them is how many there were. */
const retries: Aggregate<number, RetryEvent> = {
  category: 'parked',
  events: [ParkedRetryRequested],
  evolve: (requests = 0) => requests + 1,
};

/** An operator asks, as often as it seems right to them. */
export function decideRetryParked(request: z.output<typeof input>): NewEvent<RetryEvent>[] {
  return [{ type: 'ParkedRetryRequested', data: request }];
}

/**
 * Asks for a parked document to be folded again; the projector acts when it reads that (design, Reading). Whether the
 * document is parked is a question of the read side and is not asked here: for one that is not, nothing happens.
 */
export const retryParked = defineCommand({
  name: 'RetryParked',
  summary: 'Asks that a parked document be folded again from its streams.',
  input,
  roles: ['admin'],
  inEnvironment: false,
  creates: false,
  handle: async (request, context) => {
    const requests = await context.loadTarget(retries, parkedStream(request.collection, request.key));
    await context.commitTo(requests.stream);
    await context.append(requests, decideRetryParked(request), {});
    return { stream: requests.stream };
  },
  result: () => ({}),
});
