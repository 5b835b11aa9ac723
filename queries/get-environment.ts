import { z } from 'zod';
import type { EnvironmentDocument } from '../projections/environments/environments.ts';
import { defineQuery } from './query.ts';
import { parseBody, entityTagOf, requireResource } from './stored-documents.ts';
import { environmentShape } from './shapes.ts';

export const getEnvironment = defineQuery({
  name: 'GetEnvironment',
  summary: 'Reads one environment.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: z.strictObject({
    id: z.string().meta({ description: 'The number of the environment', type: 'integer' }),
  }),
  search: z.strictObject({}),
  paged: false,
  response: environmentShape,
  async answer({ path }, context) {
    const { reader } = context;
    const stored = await context.readModels.get('environments', path.id);
    const document = requireResource(
      stored,
      'environment_not_found',
      ({ indexes }) => reader.role !== 'merchant' || indexes['merchant'] === reader.merchantId,
    );
    const { environment_name, test_mode, client_id, time_zone } = parseBody(document) as EnvironmentDocument;
    const etag = entityTagOf(context, 'environments', document);
    return { kind: 'resource', body: JSON.stringify({ environment_name, test_mode, client_id, time_zone }), etag };
  },
});
