import type { RefusalCode } from '#domain/refusals.ts';

/** How a problem is explained: in its body (RFC 9457) and in the list of codes. */
export interface ProblemText {
  readonly title: string;
  readonly meaning: string;
  readonly action: string;
  /** Seconds after which the same request may succeed. Present with 429 and 503 only. */
  readonly retryAfter?: number;
}

/** Texts of the refusals with the status 409: the state of a resource does not allow the request. */
export const CONFLICT_TEXTS = {
  term_overlaps: {
    title: 'The term overlaps one of the policy',
    meaning: 'The imported term overlaps an existing term of the policy.',
    action: 'Correct the dates, or omit the term.',
  },
  reference_ambiguous: {
    title: 'Several merchants or modes use this reference',
    meaning:
      'Several merchants, or the live and the test mode of one, have a claim with this reference or a policy with this number, and a platform key can read all of them.',
    action: 'Add `?environment_id=` with that of one of the `candidates`, or use the id of the claim or policy.',
  },
  amount_changed: {
    title: 'The amount has changed',
    meaning:
      'The premium of the renewal, the refund of the cancellation or the difference of the change is not `expected_amount`: the product, the policy or the day has changed since the preview. `amount` is the amount now.',
    action: 'Show the customer the new amount, and send the request with it.',
  },
  customer_reference_taken: {
    title: 'The customer reference is taken',
    meaning:
      'Another customer of the merchant has this reference; at a purchase and in an import, one with another name and another e-mail.',
    action:
      'Check the reference, or read its customer from `GET /api/v1/merchants/{short_code}/customers/?customer_reference=`. A purchase or a change that was interrupted may hold it: send that one again.',
  },
  claim_reference_taken: {
    title: 'The claim reference is taken',
    meaning: 'Another claim of the merchant has this reference.',
    action: 'Give the imported claim another reference.',
  },
  claim_move_not_allowed: {
    title: 'The stage of the claim does not allow the move',
    meaning:
      'The stage of the claim does not allow the move. `detail` contains the current stage, `allowed` the commands that it allows.',
    action: 'Make the moves in their order, or read the claim: another user may have moved it.',
  },
  claim_withdrawn: {
    title: 'The claim is withdrawn',
    meaning: 'The claim is withdrawn, and takes no more documents.',
    action: 'File another claim, or let the platform reopen it.',
  },
  incident_no_longer_covered: {
    title: 'The policy does not cover the day of the incident any more',
    meaning:
      'The policy was cancelled as of an earlier day, or its first term was taken back, after the claim was filed.',
    action: 'Deny the claim, or let the platform reinstate the policy.',
  },
  payment_already_reversed: {
    title: 'The payment was reversed already',
    meaning: 'The payment was reversed before and counts nowhere.',
    action: 'Nothing. The claim shows the day.',
  },
  claim_paid_after_day: {
    title: 'A claim was paid for a later incident',
    meaning: 'A payment was made for an incident after the day on which the policy should end.',
    action: 'Cancel it as of a later day, or reverse the payment first.',
  },
  policy_already_cancelled: {
    title: 'The policy is cancelled already',
    meaning: 'The policy was cancelled or declined. The last day of cover may still be to come.',
    action: 'Nothing. The policy shows the day and the initiator.',
  },
  policy_not_cancelled: {
    title: 'The policy is not cancelled',
    meaning:
      'Only a cancelled policy can be reinstated. This one was not cancelled, or was declined: a declined policy shows the status `cancelled`, but its decline is not undone.',
    action: 'Nothing. After a decline, buy a new policy.',
  },
  policy_not_changeable: {
    title: 'The policy cannot be changed',
    meaning:
      'The policy is cancelled, also where the last day of cover is still to come, it waits for inspection or certification, no day of its terms is left after today, its last change begins on a later day, 20 changes begin on the same day already, or they or all terms would have too much text.',
    action: 'Change the coverages while it is in force, or with a renewal.',
  },
  changed_after_day: {
    title: 'The policy was changed after this day',
    meaning: 'A change of the coverages has begun after the day that `effective_on` names.',
    action: 'Cancel it for the day of the change or a later one.',
  },
  policy_not_active: {
    title: 'The policy is not active',
    meaning: 'The operation requires an active policy, but the policy is only accepted.',
    action: 'Wait until its start day, or until the platform activates it.',
  },
  policy_already_active: {
    title: 'The policy is active already',
    meaning: 'The policy is active already, or was activated and has not begun.',
    action: 'Nothing.',
  },
  policy_not_begun: {
    title: 'The policy becomes active automatically on its start day',
    meaning: 'The policy needs no activation: it becomes active automatically on its start day.',
    action: 'Wait for that day.',
  },
  policy_expired: {
    title: 'The last term of the policy is over',
    meaning: 'The last term of the policy is over, so there is no cover to cancel and nothing to renew automatically.',
    action: 'Renew the policy if it should cover again.',
  },
  term_already_withdrawn: {
    title: 'The term was withdrawn already',
    meaning: 'The term that begins on this day was withdrawn already.',
    action: 'Nothing is left to do.',
  },
  term_already_begun: {
    title: 'The term has begun',
    meaning: 'The term has begun, so it covers or has covered and cannot be taken back.',
    action: 'Cancel the policy; the premium of the days that are left is returned.',
  },
  term_not_last: {
    title: 'The term is not the last one',
    meaning: 'A later term follows, and only the last one can be withdrawn.',
    action: 'Withdraw the later terms first.',
  },
  term_is_only_one: {
    title: 'The policy has no other term',
    meaning: 'The policy has no other term, so withdrawing it would leave no policy.',
    action: 'Decline the policy (`DeclinePolicy`) instead.',
  },
  quote_expired: {
    title: 'The quote has expired',
    meaning: 'The quote is older than 30 days.',
    action: 'Request new quotes.',
  },
  quote_already_purchased: {
    title: 'The quote was bought already',
    meaning: 'The quote was already purchased. A quote can be purchased once.',
    action: 'Read the policy, or request new quotes.',
  },
  merchant_already_verified: {
    title: 'The merchant is verified already',
    meaning: 'The e-mail of the merchant is already verified.',
    action: 'Nothing.',
  },
  mail_job_not_parked: {
    title: 'The mail is not parked',
    meaning: 'Only parked mails can be sent again. This one was sent, is being sent, or is retried automatically.',
    action: 'Check its status in the list of mail jobs.',
  },
  provider_already_registered: {
    title: 'A provider of this name is registered already',
    meaning: 'A provider has or had this name; case is ignored.',
    action: 'Search the provider by name, or choose another name.',
  },
  provider_already_confirmed: {
    title: 'The provider is confirmed already',
    meaning: 'Every merchant of its mode (live or test) sees the provider already.',
    action: 'Nothing.',
  },
  provider_not_confirmable: {
    title: 'A provider of an import cannot be confirmed',
    meaning: 'An import registered the provider, so only its merchant ever sees it.',
    action: 'Register the provider for all merchants with `RegisterProvider`.',
  },
  provider_withdrawn: {
    title: 'The provider is withdrawn',
    meaning:
      'The provider is withdrawn: it is not listed, gets no products, its products are not quoted, its quotes cannot be bought, and its policies are not renewed.',
    action: 'Nothing, or register another provider. The name stays taken.',
  },
  kyc_already_confirmed: {
    title: 'The merchant is verified by the platform already',
    meaning: 'The platform has already verified the merchant.',
    action: 'Nothing.',
  },
  person_already_added: {
    title: 'The person was added already',
    meaning: 'Another person who was not removed has this e-mail address.',
    action: 'Update that person, or give another address. A removed person leaves the address free.',
  },
  person_removed: {
    title: 'The person was removed',
    meaning: 'The person was removed, which is permanent.',
    action: 'Add the person again.',
  },
  key_already_revoked: {
    title: 'The key is revoked already',
    meaning: 'The key is already revoked.',
    action: 'Nothing.',
  },
  nothing_to_change: {
    title: 'The request would change nothing',
    meaning:
      'All fields already have these values, such as the same rating in an update of a product, or the same coverages and price in a change, so nothing was recorded.',
    action: 'Nothing, or check the id in the request.',
  },
  product_withdrawn: {
    title: 'The product is withdrawn',
    meaning: 'The product is withdrawn already, or a quote of it cannot be bought.',
    action: 'Request new quotes, or restore the product first.',
  },
  product_not_withdrawn: {
    title: 'The product is not withdrawn',
    meaning: 'The product is not withdrawn, so it cannot be restored.',
    action: 'Nothing.',
  },
} satisfies Readonly<Partial<Record<RefusalCode, ProblemText>>>;
