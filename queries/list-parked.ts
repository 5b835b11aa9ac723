import { z } from 'zod';
import { jsonArray, paging } from './lists.ts';
import { defineQuery } from './query.ts';

const parkedShape = z
  .strictObject({
    collection: z.string(),
    key: z.string(),
    reason: z.string(),
    event_id: z.string(),
    event_type: z.string(),
    position: z.string(),
  })
  .meta({ id: 'ParkedDocument' });

export const listParked = defineQuery({
  name: 'ListParked',
  summary: 'Lists parked documents, each with the event that could not be folded and the reason.',
  roles: ['admin', 'auditor'],
  pathParameters: z.strictObject({}),
  search: z.strictObject(paging),
  paged: true,
  response: z.array(parkedShape),
  async answer({ search: { limit, offset } }, { readModels, collections }) {
    const parked: z.infer<typeof parkedShape>[] = [];
    for (const collection of collections.keys()) {
      for (const { key, parked: parking } of await readModels.parked(collection)) {
        if (parking === undefined) continue;
        const { reason, eventId, eventType, position } = parking;
        parked.push({ collection, key, reason, event_id: eventId, event_type: eventType, position: String(position) });
      }
    }
    const items = parked.slice(offset, offset + limit).map((item) => JSON.stringify(item));
    return { kind: 'page', count: parked.length, limit, offset, results: jsonArray(items) };
  },
});
