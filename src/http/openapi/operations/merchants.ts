import type { OperationPages } from '../page.ts';
import { historyOf } from './policies.ts';

export const MERCHANT_PAGES: OperationPages = {
  ListMerchants: {
    tag: 'Merchants',
    description:
      'Every merchant, for every key. For the key of another merchant the private fields (`tenant_id`, `user`, `business_email`, `tax_identification_number`, `registration_number`, `address`) are null.',
  },
  GetMerchant: {
    tag: 'Merchants',
    description:
      '`merchant_id` is the short code; case does not matter. `is_active` tells whether the merchant has verified its e-mail, `kyc_verified` whether the platform has checked it; keys work either way. Private fields are null for the keys of other merchants.',
    request: { path: { merchant_id: '{admin/RegisterMerchant.result.short_code}' } },
    codes: ['merchant_not_found', 'not_known_yet'],
  },
  GetMerchantHistory: {
    tag: 'Merchants',
    description: historyOf('merchant'),
    request: { path: { merchant_id: '{admin/RegisterMerchant.result.short_code}' } },
    codes: ['merchant_not_found', 'document_parked'],
  },
  VerifyMerchant: {
    tag: 'Merchants',
    description: `Confirms the e-mail address of a merchant by the token of the link that was mailed to it. The token holds for 24 hours and is used once; a second call with it while it would still hold
answers the same and sends nothing. Then onboarding instructions go out by mail; if that fails, the verification still holds.

A wrong, missing, expired or replaced token, that of another merchant and an unknown code are all answered alike: 400 with \`error\` = \`Invalid verification token\`.`,
    request: {
      path: { merchant_id: '{admin/RegisterMerchant.result.short_code}' },
      query: { token: '{scene.token}' },
    },
    codes: ['invalid_verification_token'],
  },
  GetEnvironment: {
    tag: 'Merchants',
    description:
      "An environment of the key's own merchant, in either world; the platform reads all. The path wants its number.",
    request: { path: { id: '{admin/CreateEnvironment.result.environment_id}' } },
    codes: ['environment_not_found'],
  },
};
