import { z } from 'zod';
import { linkedPaging } from './lists.ts';
import { defineQuery } from './query.ts';
import { getPolicyDocument } from './resources.ts';
import { readTransactionPage } from './transactions.ts';
import { environmentChoice, policyPath } from './parameters.ts';
import { transactionSchema } from '../projections/transactions/transaction.ts';

export const listPolicyTransactions = defineQuery({
  name: 'ListPolicyTransactions',
  summary:
    'Lists what is owed under a policy, in the order in which it was recorded: premiums, return premiums and claim payments.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: policyPath,
  search: z.strictObject({ ...environmentChoice, ...linkedPaging }),
  paged: true,
  response: z.array(transactionSchema),
  async answer({ path, search }, context) {
    const { environment_id, ...page } = search;
    const { key } = await getPolicyDocument(context, path.policy_id, environment_id);
    return await readTransactionPage(context, { ...page, where: { policy: key } });
  },
});
