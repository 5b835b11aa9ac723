import { pagesOf } from '../page.ts';

export const MERCHANT_PAGES = pagesOf('Merchants', {
  VerifyMerchant: {
    description: `Verifies the e-mail address of a merchant with the token of the mailed link. The token is valid for 24 hours and can be used once; a second call within that time
returns the same response and sends nothing. Onboarding instructions are then sent by mail; the verification remains valid if that fails.

A wrong, missing, expired or replaced token, a token of another merchant and an unknown code have the same response: 400 with \`error\` = \`Invalid verification token\`.`,
    codes: ['invalid_verification_token'],
  },
});
