import { issueApiKey } from './api-key/issue-api-key.ts';
import { revokeApiKey } from './api-key/revoke-api-key.ts';
import { addClaimDocuments } from './claim/add-claim-documents.ts';
import { assignClaim } from './claim/assign-claim.ts';
import {
  acceptClaimOffer,
  approveClaim,
  denyClaim,
  rejectClaimOffer,
  reopenClaim,
  reviewClaim,
  sendClaimForApproval,
  sendClaimOffer,
  withdrawClaim,
} from './claim/claim-moves.ts';
import { payClaim, reversePayment } from './claim/claim-payments.ts';
import { addClaimNote, reviseClaim } from './claim/revise-claim.ts';
import { updateCustomer } from './customer/update-customer.ts';
import { importClaim } from './claim/import-claim.ts';
import { submitClaim } from './claim/submit-claim.ts';
import type { AnyCommand } from './command.ts';
import { createEnvironment } from './environment/create-environment.ts';
import { resendMail } from './mail/resend-mail.ts';
import { confirmKyc } from './merchant/confirm-kyc.ts';
import { registerMerchant } from './merchant/register-merchant.ts';
import { resendVerification } from './merchant/resend-verification.ts';
import { updateMerchant } from './merchant/update-merchant.ts';
import { verifyMerchant } from './merchant/verify-merchant.ts';
import { retryParked } from './parked/retry-parked.ts';
import { addPerson } from './person/add-person.ts';
import { issueTicket } from './person/issue-ticket.ts';
import { endSessions, removePerson, updatePerson } from './person/change-person.ts';
import { activatePolicy } from './policy/activate-policy.ts';
import { cancelPolicy } from './policy/cancel-policy.ts';
import { changePolicy } from './policy/change-policy.ts';
import { declinePolicy } from './policy/decline-policy.ts';
import { importPolicyTerm } from './policy/import-policy-term.ts';
import { purchasePolicy } from './policy/purchase-policy.ts';
import { reinstatePolicy } from './policy/reinstate-policy.ts';
import { renewPolicy } from './policy/renew-policy.ts';
import { setAutoRenew } from './policy/set-auto-renew.ts';
import { setBeneficiaries } from './policy/set-beneficiaries.ts';
import { withdrawTerm } from './policy/withdraw-term.ts';
import { addProduct } from './product/add-product.ts';
import { restoreProduct, withdrawProduct } from './product/withdraw-product.ts';
import { updateProduct } from './product/update-product.ts';
import { confirmProvider, withdrawProvider } from './provider/confirm-and-withdraw.ts';
import { registerProvider } from './provider/register-provider.ts';
import { updateProvider } from './provider/update-provider.ts';
import { requestQuotes } from './quote/request-quotes.ts';

export const COMMANDS: readonly AnyCommand[] = [
  registerMerchant,
  updateMerchant,
  confirmKyc,
  resendVerification,
  verifyMerchant,
  createEnvironment,
  issueApiKey,
  revokeApiKey,
  addPerson,
  updatePerson,
  removePerson,
  endSessions,
  issueTicket,
  registerProvider,
  updateProvider,
  confirmProvider,
  withdrawProvider,
  addProduct,
  updateProduct,
  withdrawProduct,
  restoreProduct,
  requestQuotes,
  purchasePolicy,
  renewPolicy,
  changePolicy,
  cancelPolicy,
  setAutoRenew,
  setBeneficiaries,
  updateCustomer,
  activatePolicy,
  declinePolicy,
  reinstatePolicy,
  withdrawTerm,
  submitClaim,
  reviewClaim,
  sendClaimForApproval,
  approveClaim,
  sendClaimOffer,
  acceptClaimOffer,
  rejectClaimOffer,
  addClaimDocuments,
  payClaim,
  reversePayment,
  denyClaim,
  withdrawClaim,
  reopenClaim,
  reviseClaim,
  addClaimNote,
  assignClaim,
  importPolicyTerm,
  importClaim,
  retryParked,
  resendMail,
];

const byName = new Map(COMMANDS.map((command) => [command.name, command]));

export function findCommand(name: string): AnyCommand | undefined {
  return byName.get(name);
}
