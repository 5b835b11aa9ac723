import { z } from 'zod';
import { policies, resourceOn } from '../../projections/policies/policies.ts';
import { recordedAtOf } from '../../projections/address.ts';
import { todayOf } from '../../src/domain/policy/cover.ts';
import { policyStream } from '../../src/domain/policy/policy.ts';
import { paging } from '../lists.ts';
import { defineQuery } from '../query.ts';
import { getPolicyDocument } from '../resources.ts';
import { uuidText } from '../shapes.ts';
import { historyEntryShape, readHistoryPage } from './history-page.ts';

export const getPolicyHistory = defineQuery({
  name: 'GetPolicyHistory',
  summary: 'Lists everything that happened to a policy, oldest first, with what each event changed.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: z.strictObject({ policy_id: uuidText }),
  search: z.strictObject(paging),
  paged: true,
  showsPaging: true,
  response: z.array(historyEntryShape),
  async answer({ path, search }, context) {
    const stored = await getPolicyDocument(context, path.policy_id);
    const ownStream = policyStream(stored.key);
    return await readHistoryPage(
      context,
      {
        projection: policies,
        ownStream,
        toResource: (document, event) => resourceOn(document, todayOf(document.extra.life, recordedAtOf(event))),
      },
      stored,
      search,
    );
  },
});
