import { z } from 'zod';
import { adminPagesOf, type OperationPages } from '../page.ts';

const nothing = z.strictObject({});
const shortCode = '{admin/RegisterMerchant.result.short_code}';
const otherShortCode = '{scene.otherMerchant.short_code}';

export const ADMIN_PARTY_PAGES: OperationPages = adminPagesOf({
  RegisterMerchant: {
    description: `Registers a merchant under a new short code: three letters of its name and four of \`[0-9A-F]\`. Several merchants may have the same e-mail. A verification mail is sent
with a link that is valid for 24 hours.`,
    body: {
      name: 'Harmony Microfinance',
      business_email: 'office@harmony.example',
      support_email: 'help@harmony.example',
      address: '1 Marina Road, Lagos',
      registration_number: 'RC-123456',
    },
    result: z.strictObject({ merchant_id: z.int(), tenant_id: z.uuid(), short_code: z.string() }),
  },
  UpdateMerchant: {
    description:
      'Changes any field of a registration; null clears a field. The short code does not change. A new business e-mail before verification gets a new verification link, which replaces the previous one.',
    body: { short_code: shortCode, support_email: 'support@harmony.example' },
    codes: ['merchant_not_found', 'nothing_to_change'],
    result: nothing,
  },
  ConfirmKyc: {
    description: 'Sets `kyc_verified`, which is independent of the verification of the e-mail.',
    body: { short_code: shortCode },
    codes: ['merchant_not_found', 'kyc_already_confirmed'],
    result: nothing,
  },
  ResendVerification: {
    description: 'Sends a new verification mail, whose token replaces the previous one.',
    body: { short_code: otherShortCode },
    codes: ['merchant_not_found', 'merchant_already_verified'],
    result: nothing,
  },
  VerifyMerchant: {
    description: 'Same as the verification by the link, for an operator who has the token.',
    body: { short_code: otherShortCode, token: '{scene.otherMerchant.token}' },
    codes: ['invalid_verification_token'],
    result: nothing,
  },
  CreateEnvironment: {
    description:
      'A merchant may have several environments. All live environments show the same policies, and so do all test environments.',
    body: { short_code: shortCode, environment_name: 'Production', test_mode: false },
    codes: ['merchant_not_found'],
    result: z.strictObject({ environment_id: z.int(), client_id: z.uuid() }),
  },
  IssueApiKey: {
    description: `Issues a key of an environment (\`environment_id\`) or of the platform (\`role\`); exactly one of both is required. \`label\` says who or what uses it. Only a hash of the key is stored: it is shown in this response only, and \`api_key\` is
null in a repeated response.`,
    body: { environment_id: '{scene.sample.environment_id}', label: 'web shop' },
    codes: ['environment_not_found'],
    result: z.strictObject({ key_id: z.string(), api_key: z.string().nullable() }),
  },
  RevokeApiKey: {
    description: 'Revokes the key permanently, with immediate effect.',
    body: { key_id: '{admin/IssueApiKey.result.key_id}' },
    codes: ['key_not_found', 'key_already_revoked'],
    result: nothing,
  },
});
