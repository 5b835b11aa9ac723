import { z } from 'zod';
import { type EnvironmentDocument, environmentSchema } from '../projections/environments/environments.ts';
import { defineQuery } from './query.ts';
import { getEnvironmentDocument } from './resources.ts';
import { entityTagOf, parseBody } from './stored-documents.ts';
import { environmentPath } from './parameters.ts';

export const getEnvironment = defineQuery({
  name: 'GetEnvironment',
  summary: 'Reads one environment.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: environmentPath,
  search: z.strictObject({}),
  paged: false,
  response: environmentSchema,
  async answer({ path }, context) {
    const document = await getEnvironmentDocument(context, path.id);
    const { environment_name, test_mode, client_id, time_zone } = parseBody(document) as EnvironmentDocument;
    const etag = entityTagOf(context, 'environments', document);
    return { kind: 'resource', body: JSON.stringify({ environment_name, test_mode, client_id, time_zone }), etag };
  },
});
