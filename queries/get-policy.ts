import { z } from 'zod';
import { policyResourceOn, policySchema } from '../projections/policies/policy-resource.ts';
import { policyAt } from './history/past-document.ts';
import { pointInTimeOf, pointInTimeSearch } from './history/point-in-time.ts';
import { policyJsonAt } from './list-policies.ts';
import { defineQuery } from './query.ts';
import { entityTagOf, requireReadable } from './stored-documents.ts';
import { getPolicyDocument } from './resources.ts';
import { environmentChoice, policyPath } from './parameters.ts';

export const getPolicy = defineQuery({
  name: 'GetPolicy',
  summary: 'Reads one policy by its id or its number, as it is, as of a day or as it was known at a moment.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: policyPath,
  search: z.strictObject({ ...environmentChoice, ...pointInTimeSearch }),
  paged: false,
  response: policySchema,
  async respond({ path, search }, context) {
    const pointInTime = await pointInTimeOf(search, context);
    const stored = await getPolicyDocument(context, path.policy_id, search.environment_id);
    if (pointInTime !== undefined) {
      const { policy, day } = await policyAt(context, stored, pointInTime);
      return { kind: 'resource', body: JSON.stringify(policyResourceOn(policy, day)), etag: undefined };
    }
    const document = requireReadable(stored, 'policy_not_found');
    const body = policyJsonAt(document, context.now);
    // The calendar changes the view only by showing the next term.
    const etag = entityTagOf(context, 'policies', document, shownFrom(body));
    return { kind: 'resource', body, etag };
  },
});

const SHOWN_FROM = '"effective_from":"';

/** Returns the first day of the shown term from the JSON text of a policy, where no text before it can contain the name. */
function shownFrom(body: string): string {
  const start = body.indexOf(SHOWN_FROM) + SHOWN_FROM.length;
  return body.slice(start, body.indexOf('"', start));
}
