import { z } from 'zod';
import { viewText } from '../projections/view-text.ts';
import { policyStream } from '../src/domain/policy.ts';
import { defineQuery } from './query.ts';
import { etagOf, owns, shown } from './reading.ts';
import { policyShape, uuidText } from './shapes.ts';

export const getPolicy = defineQuery({
  name: 'GetPolicy',
  summary: 'Reads one policy.',
  path: '/api/v1/policies/:policy_id',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: z.strictObject({ policy_id: uuidText }),
  search: z.strictObject({}),
  paged: false,
  response: policyShape,
  async answer({ path }, context) {
    const policyId = path.policy_id.toLowerCase();
    const stored = await context.readModels.get('policies', policyId);
    const document = shown(stored, 'policy_not_found', (document) => owns(context.reader, document));
    return {
      kind: 'resource',
      body: viewText(document.body),
      etag: etagOf(context, 'policies', document, policyStream(policyId)),
    };
  },
});
