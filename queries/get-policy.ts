import { z } from 'zod';
import { policies } from '../projections/policies/policies.ts';
import { resourceJsonOf } from '../projections/resource-document.ts';
import { policyStream } from '../src/domain/policy/policy.ts';
import { checkKnownAt, knownAtSearch } from './history/known-at.ts';
import { documentKnownAt } from './history/document-history.ts';
import { defineQuery } from './query.ts';
import { entityTagOf, requireReadable } from './stored-documents.ts';
import { getPolicyDocument } from './resources.ts';
import { policyShape, uuidText } from './shapes.ts';

export const getPolicy = defineQuery({
  name: 'GetPolicy',
  summary: 'Reads one policy, as it is or as it was known at a moment.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: z.strictObject({ policy_id: uuidText }),
  search: z.strictObject(knownAtSearch),
  paged: false,
  response: policyShape,
  async answer({ path, search: { known_at } }, context) {
    checkKnownAt(known_at, context);
    const stored = await getPolicyDocument(context, path.policy_id);
    const stream = policyStream(stored.key);
    if (known_at === undefined) {
      const document = requireReadable(stored, 'policy_not_found');
      return {
        kind: 'resource',
        body: resourceJsonOf(document.body),
        etag: entityTagOf(context, 'policies', document, stream),
      };
    }
    const past = await documentKnownAt(context, policies, stored, known_at);
    const etag = entityTagOf(context, 'policies', past, stream);
    return { kind: 'resource', body: JSON.stringify(past.document.view), etag };
  },
});
