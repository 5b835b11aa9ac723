import type { ClaimEvent } from '#domain/claim/claim-events.ts';
import type { ChangeableDetails, CustomerEvent } from '#domain/customer/customer.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import type { MerchantDetails, MerchantEvent } from '#domain/merchant/merchant.ts';
import { sumOf } from '#domain/values/money.ts';
import { type DayRange, daysOf } from '#domain/policy/term.ts';
import type { PolicyEvent } from '#domain/policy/policy-events.ts';

type HistoryEvent = CustomerEvent | PolicyEvent | ClaimEvent | MerchantEvent;
type DataOf<Type extends HistoryEvent['type']> = Extract<HistoryEvent, { readonly type: Type }>['data'];

/**
 * Describes every event in one sentence. Free texts, such as reasons and notes, are left out: they can contain personal
 * data and appear in the changes if the resource has them.
 */
const SUMMARIES: { readonly [Type in HistoryEvent['type']]: (data: DataOf<Type>) => string } = {
  CustomerRegistered: ({ fullName }) => `${fullName} was registered as a customer.`,

  CustomerUpdated: ({ changes }) => `The customer's ${listed(namesOf(changes, CUSTOMER_FIELDS))} changed.`,

  PolicyImported: (data) => `Policy ${data.policyNumber} of ${data.holder.name} was imported: ${contract(data)}.`,
  PolicyTermImported: ({ term }) => `A further term was imported: ${period(term)}, for ${term.premium}.`,
  PolicyPurchased: (data) =>
    `${data.holder.name} bought policy ${data.policyNumber} with quote ${data.quoteCode}: ${contract(data)}${renewing(data)}.`,
  PolicyActivated: ({ cause, movedTerm }) => {
    if (cause === 'start_day') return 'The policy became active because its start day had come.';
    const moved = movedTerm === null ? '' : `; its term moved to ${period(movedTerm)}`;
    return `The policy was activated by the platform${moved}.`;
  },
  TermWithdrawn: ({ returned }) => `The term of ${period(returned)} was withdrawn; ${returned.premium} is returned.`,
  BeneficiariesSet: ({ beneficiaries }) =>
    beneficiaries.length === 0
      ? 'The beneficiaries were removed.'
      : `The policy has ${counted(beneficiaries.length, 'new beneficiary', 'new beneficiaries')}.`,
  AutoRenewalSwitched: ({ autoRenew }) => `Automatic renewal was switched ${autoRenew ? 'on' : 'off'}.`,
  AutoRenewalStopped: ({ reason }) => `Automatic renewal was stopped: ${reason.replaceAll('_', ' ')}.`,
  PolicyDeclined: () => 'The insurer declined the policy; its premium is returned in full.',
  PolicyRenewed: (data) => {
    const coverage = data.coverageChange === null ? '' : ` with ${data.coverageChange.kind} coverage`;
    const { term } = data;
    return `The policy was renewed for ${counted(daysOf(term), 'day')}${coverage}: ${period(term)}, for ${term.premium}${renewing(data) || '; it does not renew automatically'}.`;
  },
  PolicyChanged: ({ changes, terms, effectiveAt }) =>
    `The coverages were changed (${counted(changes.length, 'change')}), effective ${effectiveAt}; the premium changes by ${differenceOf(terms)}.`,
  PolicyChangeWithdrawn: ({ terms, effectiveAt }) =>
    `A change of coverages, effective ${effectiveAt}, was taken back; the premium changes by ${differenceOf(terms)}.`,
  PolicyCancelled: ({ initiator, effectiveAt, returned }) =>
    `The policy was cancelled by ${initiator}, effective ${effectiveAt}; ${totalOf(returned)} is returned.`,
  PolicyReinstated: ({ reinstated }) =>
    `The cancellation was undone; ${totalOf(reinstated)} is owed again, and cover goes on without a gap.`,
  ClaimPaymentBooked: ({ amount: paid }) => `A claim payment of ${paid} was booked.`,
  ClaimPaymentRefused: ({ reason }) => `A claim payment was not booked: ${reason.replaceAll('_', ' ')}.`,
  ClaimPaymentUnbooked: () => 'A claim payment was reversed.',

  ClaimSubmitted: (data) => {
    const documents = data.documents.length === 0 ? '' : `, with ${counted(data.documents.length, 'document')}`;
    return `Claim ${data.reference} was filed: ${incident(data)}${documents}.`;
  },
  ClaimImported: (data) => `Claim ${data.reference}, filed on ${data.filedOn}, was imported: ${incident(data)}.`,
  ClaimSettlementImported: ({ stage, effectiveAt }) => `The claim was imported as ${stage} on ${effectiveAt}.`,
  ClaimReviewStarted: () => 'The review of the claim began.',
  ClaimSentForApproval: () => 'The claim was sent for approval.',
  ClaimApproved: ({ approvedAmount }) => `The claim was approved${amount(' for', approvedAmount)}.`,
  ClaimOfferSent: ({ offerAmount }) => `An offer of ${offerAmount} was sent to the claimant.`,
  ClaimOfferAccepted: () => 'The claimant accepted the offer.',
  ClaimOfferRejected: () => 'The claimant rejected the offer.',
  ClaimPaymentStarted: ({ payment }) => `A payment of ${payment.amount} was decided.`,
  ClaimPaid: ({ payment, isFinal }) => {
    if (payment === null) return 'The claim was closed as paid.';
    return isFinal ? `The claim was paid: ${payment.amount}.` : `A part of the claim was paid: ${payment.amount}.`;
  },
  ClaimPaymentRejected: ({ reason }) => `The policy did not book the payment: ${reason.replaceAll('_', ' ')}.`,
  ClaimPaymentReversalStarted: () => 'The reversal of a payment was decided.',
  ClaimPaymentReversed: ({ amount: paid }) => `A payment of ${paid} was reversed.`,
  ClaimWithdrawn: () => 'The claim was withdrawn.',
  ClaimReopened: () => 'The claim was reopened; its approval and its offer are void.',
  ClaimRevised: () => 'What is claimed was corrected.',
  ClaimNoteAdded: () => 'A note was added to the claim.',
  ClaimAssigned: ({ assignee }) =>
    assignee === null ? 'The assignment of the claim ended.' : 'The claim was assigned.',
  ClaimDocumentsAdded: ({ documents }) =>
    `${counted(documents.length, 'document')} ${documents.length === 1 ? 'was' : 'were'} added to the claim.`,
  ClaimDenied: () => 'The claim was denied.',

  MerchantRegistered: ({ name, shortCode }) => `${name} was registered as merchant ${shortCode}.`,
  MerchantUpdated: ({ changes }) => `The merchant's ${listed(namesOf(changes, MERCHANT_FIELDS))} changed.`,
  MerchantKycConfirmed: () => 'The platform verified the merchant.',
  MerchantVerificationRequested: ({ expiresAt }) =>
    `A verification mail was requested; its link is valid until ${expiresAt}.`,
  MerchantVerified: () => 'The merchant verified its e-mail.',
};

/** Returns an event in one sentence; of an event without a summary, its stored name. */
export function summaryOf(event: RecordedEvent): string {
  if (!Object.hasOwn(SUMMARIES, event.type)) return `${event.storedType}.`;
  const summarise = SUMMARIES[event.type as HistoryEvent['type']] as (data: unknown) => string;
  return summarise(event.data);
}

function totalOf(returned: readonly { readonly premium: string }[]): string {
  return sumOf(returned.map(({ premium }) => premium));
}

function differenceOf(terms: DataOf<'PolicyChanged'>['terms']): string {
  return sumOf(terms.map(({ difference: { premium } }) => premium));
}

interface Contract {
  readonly product: { readonly name: string };
  readonly tierName?: string | null;
  readonly provider: { readonly name: string };
  readonly currency: string;
  readonly term: DayRange & { readonly premium: string };
}

function contract({ product, tierName = null, provider, currency, term }: Contract): string {
  const what = tierName === null ? product.name : `${product.name} (${tierName})`;
  return `${what} of ${provider.name}, ${period(term)}, for ${currency} ${term.premium}`;
}

function period({ from, through }: DayRange): string {
  return `${from} to ${through}`;
}

function renewing({ autoRenew }: { readonly autoRenew: boolean }): string {
  return autoRenew ? '; it renews automatically' : '';
}

function incident(data: DataOf<'ClaimSubmitted' | 'ClaimImported'>): string {
  const { claimType, incidentDate, amount: claimed } = data.details;
  return `${claimType} on ${incidentDate}${amount(', claiming', claimed)}`;
}

function amount(words: string, value: string | null): string {
  return value === null ? '' : `${words} ${value}`;
}

function counted(count: number, what: string, several = `${what}s`): string {
  return `${count} ${count === 1 ? what : several}`;
}

const MERCHANT_FIELDS: Readonly<Record<keyof MerchantDetails, string>> = {
  name: 'name',
  businessEmail: 'business e-mail',
  supportEmail: 'support e-mail',
  address: 'address',
  taxIdentificationNumber: 'tax identification number',
  registrationNumber: 'registration number',
};

const CUSTOMER_FIELDS: Readonly<Record<keyof ChangeableDetails, string>> = {
  reference: 'reference',
  fullName: 'name',
  email: 'e-mail',
  phone: 'phone',
  dateOfBirth: 'date of birth',
  address: 'address',
};

function namesOf<Field extends string>(
  changes: Readonly<Partial<Record<Field, unknown>>>,
  names: Readonly<Record<Field, string>>,
): readonly string[] {
  return Object.keys(changes).map((field) => names[field as Field]);
}

/** `a`, `a and b`, `a, b and c`. */
function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? 'details';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
