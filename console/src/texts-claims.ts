/** Texts of the work on claims. */
export const claimTexts = {
  assignToMe: 'Assign to me',
  assignedTo: 'assigned to',
  noOne: 'no one',
  meNamed: (name: string): string => `${name} (me)`,
  open: 'Open',
  paymentOf: (number: number, amount: string, reference: string): string =>
    `payment ${number} of ${reference}, ${amount}`,
  coverageMissing: 'The coverage is not known: name it with the approval.',
  amountMissing: 'No amount is claimed: give one with the approval.',
  limitBelow: (left: string): string => `The coverage has ${left} left in this term: less than is claimed.`,
  approvalAbove: (amount: string, bound: string): string =>
    `${amount} is over your authority of ${bound}: another person approves more.`,
  paymentAbove: (amount: string, bound: string): string =>
    `Payments of ${amount} in all are over your authority of ${bound}: another person pays more.`,
  otherCurrency: (own: string, other: string): string =>
    `Your authority is in ${own}, the claim in ${other}: another person approves and pays.`,
  readOnly: 'You have access to read only: others work this claim.',
} as const;
