/** A claim of the sample: filed under a policy, then moved by commands. */
interface SampleClaim {
  readonly policy: string;
  readonly type: string;
  readonly description: string;
  readonly amount: string;
  /** Left out where it becomes known with the approval, and where the policy has no coverages. */
  readonly coverage: string | undefined;
  /** Days before the day on which the sample is created. */
  readonly daysAgo: number;
  readonly moves: readonly Move[];
}

/** A `ReversePayment` takes back the last payment of the claim. */
type Move = readonly [command: string, members?: Readonly<Record<string, string>>];

const REVIEWED: Move = ['ReviewClaim', { note: 'Papers are complete' }];
const SENT_FOR_APPROVAL: readonly Move[] = [REVIEWED, ['SendClaimForApproval']];
/** Approves what is claimed less the deductible. */
const APPROVED_IN_FULL: readonly Move[] = [...SENT_FOR_APPROVAL, ['ApproveClaim']];
const APPROVED: readonly Move[] = [...SENT_FOR_APPROVAL, ['ApproveClaim', { approved_amount: '120000.00' }]];
const OFFERED: readonly Move[] = [...APPROVED, ['SendClaimOffer', { offer_amount: '110000.00' }]];

export const CLAIMS: readonly SampleClaim[] = [
  claim('BAO-MOTOR-0001', 'accident', 'Rear bumper in a car park', '85000.00', 6, 'Own damage', []),
  claim('BAO-MOTOR-0001', 'theft', 'Side mirrors stolen at night', '46000.00', 12, 'Theft', [REVIEWED]),
  claim('BAO-MOTOR-0002', 'accident', 'Collision with a motorcycle', '310000.00', 40, undefined, SENT_FOR_APPROVAL),
  claim('BAO-MOTOR-0002', 'accident', 'Windscreen broken by a stone', '145000.00', 75, 'Own damage', APPROVED_IN_FULL),
  claim('LAG-GADGET-0001', 'theft', 'Phone taken on a bus', '250000.00', 20, undefined, OFFERED),
  claim('LAG-GADGET-0001', 'accident', 'Screen broken in a fall', '130000.00', 33, undefined, [
    ...OFFERED,
    ['AcceptClaimOffer'],
  ]),
  claim('LAG-GADGET-0001', 'accident', 'Water damage', '90000.00', 27, undefined, [
    ...SENT_FOR_APPROVAL,
    ['ApproveClaim', { approved_amount: '70000.00' }],
    ['SendClaimOffer', { offer_amount: '40000.00' }],
    ['RejectClaimOffer', { reason: 'The repair costs more' }],
  ]),
  claim('HAR-HEALTH-0001', 'illness', 'Two nights in hospital', '145000.00', 4, 'Hospital care', [
    ...APPROVED,
    ['PayClaim', { reference: 'TR-0007' }],
  ]),
  claim('BAO-MOTOR-0002', 'other', 'Worn tyres', '60000.00', 15, 'Own damage', [
    REVIEWED,
    ['DenyClaim', { reason: 'Wear is not covered' }],
  ]),
  claim('BAO-MOTOR-0002', 'accident', 'Front wing and headlight in a collision', '225000.00', 58, 'Own damage', [
    ...APPROVED_IN_FULL,
    ['PayClaim', { paid_amount: '150000.00', reference: 'TR-0009 parts' }],
    ['PayClaim', { reference: 'TR-0009 labour' }],
  ]),
  claim('LAG-GADGET-0001', 'accident', 'Battery is swollen', '38000.00', 17, undefined, [
    REVIEWED,
    ['DenyClaim', { reason: 'A worn battery is not covered' }],
    ['ReopenClaim', { reason: 'The workshop found damage from a fall' }],
  ]),
  claim('BAO-MOTOR-0002', 'theft', 'Radio stolen from the parked car', '64000.00', 49, 'Theft', [
    ...APPROVED_IN_FULL,
    ['DenyClaim', { reason: 'The police found the radio with its owner' }],
  ]),
  claim('LAG-GADGET-0001', 'theft', 'Phone missing after a journey', '250000.00', 9, undefined, [
    ['WithdrawClaim', { reason: 'The phone was found' }],
  ]),
  claim('HAR-HEALTH-0001', 'illness', 'Treatment of an ear infection', '18500.00', 7, 'Outpatient care', [
    ...APPROVED_IN_FULL,
    ['PayClaim', { reference: 'TR-0013' }],
    ['ReversePayment', { reason: 'The bank returned it: the account is closed' }],
  ]),
];

/**
 * A claim that is imported: it was filed, and maybe resolved, before the sample is created. Days count back from that
 * day.
 */
export interface ImportedClaim {
  readonly policy: string;
  readonly reference: string;
  readonly type: string;
  readonly amount: string;
  readonly status: 'pending' | 'approved' | 'offer_sent' | 'offer_accepted' | 'paid' | 'denied' | 'withdrawn';
  readonly incident: number;
  readonly filed: number;
  readonly resolved?: number;
  /** What was approved, and paid if it is paid; default: the amount. */
  readonly approved?: string;
}

export const IMPORTED_CLAIM: ImportedClaim = {
  policy: 'LAG-TRAVEL-0001',
  reference: 'OLD-2231',
  type: 'other',
  amount: '38500.00',
  status: 'paid',
  incident: 300,
  filed: 295,
  resolved: 270,
};

function claim(
  policy: string,
  type: string,
  description: string,
  amount: string,
  daysAgo: number,
  coverage: string | undefined,
  moves: readonly Move[],
): SampleClaim {
  return { policy, type, description, amount, daysAgo, coverage, moves };
}
