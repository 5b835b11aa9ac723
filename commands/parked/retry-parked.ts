import { z } from 'zod';
import type { Aggregate } from '#event-sourcing/aggregate.ts';
import { ParkedRetryRequested, parkedStream } from '#event-sourcing/system-events.ts';
import type { EventOf, NewEvent } from '#event-sourcing/event.ts';
import { refusalsOf } from '#domain/refusals.ts';
import { defineCommand } from '../command.ts';
import { READ_MODEL_COLLECTIONS } from '../shared/read-model-collections.ts';

const refuse = refusalsOf('parked_document_not_found');

type RetryEvent = EventOf<typeof ParkedRetryRequested>;

const input = z.strictObject({
  collection: z.enum(READ_MODEL_COLLECTIONS),
  key: z.string().min(1, 'must not be empty').max(255, 'must have at most 255 characters'),
});

const retries: Aggregate<number, RetryEvent> = {
  category: 'parked',
  events: [ParkedRetryRequested],
  evolve: (requests = 0) => requests + 1,
};

function decideRetryParked(_requests: number | undefined, request: z.output<typeof input>): NewEvent<RetryEvent>[] {
  return [{ type: 'ParkedRetryRequested', data: request }];
}

/**
 * Requests that a parked document be folded again. The projector does so when it reads the event; if the document is no
 * longer parked then, nothing happens.
 */
export const retryParked = defineCommand({
  name: 'RetryParked',
  summary: 'Requests that a parked document be folded again from its streams.',
  description:
    'Requests that a parked document be folded again from its events. Both values are in the list of parked documents.',
  input,
  example: { collection: 'policies', key: 'c530ddb5-2b6b-5b7a-ae28-8fa4b289d210' },
  response: z.strictObject({}),
  errors: refuse.codes,
  roles: ['admin'],
  aggregate: retries,
  decide: decideRetryParked,
  handle: async (request, context) => {
    const target = await context.loadTarget(retries, parkedStream(request.collection, request.key));
    const { collection, key } = request;
    if (!(await context.services.catalogue.isParked(collection, key)))
      throw refuse('parked_document_not_found', `No document ${key} of ${collection} is parked`);
    return { target, events: decideRetryParked(target.state, request), tags: {} };
  },
});
