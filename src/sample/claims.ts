/** A claim of the sample: filed under a policy, then moved by commands. */
interface SampleClaim {
  readonly policy: string;
  readonly type: string;
  readonly description: string;
  readonly amount: string;
  /** Days before the day on which the sample is created. */
  readonly daysAgo: number;
  readonly moves: readonly Move[];
}

type Move = readonly [command: string, members?: Readonly<Record<string, string>>];

const REVIEWED: Move = ['ReviewClaim', { note: 'Papers are complete' }];
const SENT_FOR_APPROVAL: Move = ['SendClaimForApproval'];
const APPROVED: Move = ['ApproveClaim', { approved_amount: '120000.00' }];
const OFFERED: Move = ['SendClaimOffer', { offer_amount: '110000.00' }];

export const CLAIMS: readonly SampleClaim[] = [
  claim('BAO-MOTOR-0001', 'accident', 'Rear bumper in a car park', '85000.00', 6, []),
  claim('BAO-MOTOR-0001', 'theft', 'Side mirrors stolen at night', '46000.00', 12, [REVIEWED]),
  claim('BAO-MOTOR-0002', 'accident', 'Collision with a motorcycle', '310000.00', 40, [REVIEWED, SENT_FOR_APPROVAL]),
  claim('BAO-MOTOR-0002', 'accident', 'Windscreen broken by a stone', '120000.00', 75, [
    REVIEWED,
    SENT_FOR_APPROVAL,
    APPROVED,
  ]),
  claim('LAG-GADGET-0001', 'theft', 'Phone taken on a bus', '250000.00', 20, [
    REVIEWED,
    SENT_FOR_APPROVAL,
    APPROVED,
    OFFERED,
  ]),
  claim('LAG-GADGET-0001', 'accident', 'Screen broken in a fall', '130000.00', 33, [
    REVIEWED,
    SENT_FOR_APPROVAL,
    APPROVED,
    OFFERED,
    ['AcceptClaimOffer'],
  ]),
  claim('LAG-GADGET-0001', 'accident', 'Water damage', '90000.00', 27, [
    REVIEWED,
    SENT_FOR_APPROVAL,
    ['ApproveClaim', { approved_amount: '70000.00' }],
    ['SendClaimOffer', { offer_amount: '40000.00' }],
    ['RejectClaimOffer', { reason: 'The repair costs more' }],
  ]),
  claim('HAR-HEALTH-0001', 'illness', 'Two nights in hospital', '145000.00', 4, [
    REVIEWED,
    SENT_FOR_APPROVAL,
    APPROVED,
    ['PayClaim', { paid_amount: '120000.00' }],
  ]),
  claim('BAO-MOTOR-0002', 'other', 'Worn tyres', '60000.00', 15, [
    REVIEWED,
    ['DenyClaim', { reason: 'Wear is not covered' }],
  ]),
];

export const IMPORTED_CLAIM = {
  policy: 'LAG-TRAVEL-0001',
  reference: 'OLD-2231',
  type: 'other',
  amount: '38500.00',
  /** Days before the day on which the sample is created. */
  incident: 300,
  filed: 295,
  resolved: 270,
} as const;

function claim(
  policy: string,
  type: string,
  description: string,
  amount: string,
  daysAgo: number,
  moves: readonly Move[],
): SampleClaim {
  return { policy, type, description, amount, daysAgo, moves };
}
