import { pagesOf } from '../page.ts';
import { atPointInTime, historyOf } from './policies.ts';

const AS_LIST_DOWNLOAD =
  'With `Accept: text/csv` or `application/x-ndjson` the response has the whole list; it takes the filters and `test_mode`, and neither `limit` nor `after`.';

export const MERCHANT_PAGES = pagesOf('Merchants', {
  ListMerchants: {
    description:
      'All merchants, for every key. For keys of other merchants the private fields (`tenant_id`, `user`, `business_email`, `tax_identification_number`, `registration_number`, `address`) are null.',
  },
  GetMerchant: {
    description: `The short code is found ignoring case. \`is_active\`: the merchant has verified its e-mail; \`kyc_verified\`: the platform has verified the merchant. Keys work in any case. Private fields are null for the keys of other merchants.

${atPointInTime('merchant')}`,
    codes: ['not_known_yet', 'not_in_force_yet'],
  },
  GetMerchantHistory: {
    description: historyOf('merchant'),
    codes: ['document_parked'],
  },
  ListMerchantPolicies: {
    tag: 'Policies',
    description: listOf(
      'policies',
      '`in_force_on` asks for policies in force on that day: a begun term contains the day, cover has begun by then, and the policy was not cancelled on an earlier day. `cover` asks for policies with this cover today. With `renewal_from` or `renewal_through` the list is ordered by renewal date, first the earliest; a policy that is renewed during the walk moves to its new date.',
    ),
    request: {
      query: { product_type: 'Auto', status: 'active' },
    },
  },
  ListMerchantTransactions: {
    tag: 'Policies',
    description: `The transactions of all policies of the merchant in the mode of the key, in the order in which they were recorded; platform keys see live data, with \`test_mode=true\` test data. For the statement of a month, give its first and last day as
\`recorded_from\` and \`recorded_through\`: every transaction is on the statement of one month, whatever its \`date\`. \`customer_reference\` is that of now.

${AS_LIST_DOWNLOAD} By pages, follow \`next\` until it is null: it contains the cursor \`after\`, which belongs to this list, the merchant, the mode and the filters. A page may have fewer than \`limit\` items, or none, and still a \`next\`.

While an event of one of the policies cannot be read, the response is \`document_parked\`, because the sums would be wrong.`,
    request: { query: { kind: 'premium' } },
    codes: ['document_parked'],
  },
  ListMerchantCustomers: {
    tag: 'Customers',
    description: listOf('customers', 'An item has no lists of policies and claims; `links` lead to them.'),
    request: {
      query: { email: 'chinwe.eze@customer.example' },
    },
  },
  ListMerchantClaims: {
    tag: 'Claims',
    description: listOf('claims', 'An item has no `documents`.'),
    request: { query: { claim_status: 'paid' } },
  },
  VerifyMerchant: {
    description: `Verifies the e-mail address of a merchant with the token of the mailed link. The token is valid for 24 hours and can be used once; a second call within that time
returns the same response and sends nothing. Onboarding instructions are then sent by mail; the verification remains valid if that fails.

A wrong, missing, expired or replaced token, a token of another merchant and an unknown code have the same response: 400 with \`error\` = \`Invalid verification token\`.`,
    codes: ['invalid_verification_token'],
  },
  GetEnvironment: {
    description:
      "Returns an environment of the key's merchant, live or test, by its number. Platform keys can read all environments.",
  },
  ListMerchantEnvironments: {
    description:
      "The environments of the key's merchant, live and test, oldest first. Platform keys can read those of all.",
  },
  ListEnvironmentKeys: {
    description:
      "The keys of an environment of the key's merchant, live or test, oldest first, with the time of their revocation. A list never shows a key itself, only its id and its label.",
  },
  Find: {
    description: `At most 20 of what the key may read that has exactly this text, in any case: policies by number or id, claims by reference or id, customers by reference, e-mail address or id, merchants by short code, and what an event concerns by the id of the event. A merchant key finds only its own merchant in its own mode; platform keys find live and test data. Nothing found is an empty array.

It is a POST so that the text is in no URL. It reads only and ignores an \`Idempotency-Key\`. With \`short_code\` only that merchant is searched. References and e-mail addresses of customers are searched within one merchant: a platform key without \`short_code\` gets 400 that names it for a text with \`@\`, and for a text that is no id where nothing else has it.`,
    request: { body: { text: '{scene.sample.policy_number}', short_code: '{scene.sample.short_code}' } },
    codes: ['merchant_not_found'],
  },
  GetMe: {
    description:
      "What the key of the request is: its role, id and label, and of a merchant key its merchant and environment (null for platform keys). The label of the administrator's key of the settings is `first admin key`.",
  },
});

function listOf(items: string, more: string): string {
  return `The ${items} of the merchant in the mode of the key, newest first; platform keys see live data, with \`test_mode=true\` test data. ${more}

${AS_LIST_DOWNLOAD} A table has a column for each field, a field of an object under both names (\`policy_holder_customer_id\`); lists are JSON. By pages, follow \`next\` until it is null: it contains the cursor \`after\`, and a page costs the same at any depth. A cursor belongs to this list, the merchant, the mode and the filters; \`limit\` may change. Each of the ${items} that
are there when the walk begins comes exactly once, also while others are added. A page may have fewer than \`limit\` items, or none, and still a \`next\`: one request reads at most about 1,000 ${items} for filters that no index answers together.`;
}
