import { z } from 'zod';
import { paging } from './lists.ts';
import { defineQuery } from './query.ts';
import { getPolicyDocument } from './resources.ts';
import { environmentChoice, policyPath } from './shapes.ts';
import { readTransactionPage, transactionShape } from './transactions.ts';

export const listPolicyTransactions = defineQuery({
  name: 'ListPolicyTransactions',
  summary:
    'Lists what is owed under a policy, in the order in which it was recorded: premiums, return premiums and claim payments.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: policyPath,
  search: z.strictObject({ ...environmentChoice, ...paging }),
  paged: true,
  response: z.array(transactionShape),
  async answer({ path, search }, context) {
    const { key } = await getPolicyDocument(context, path.policy_id, search.environment_id);
    return await readTransactionPage(context, { policy: key }, search);
  },
});
