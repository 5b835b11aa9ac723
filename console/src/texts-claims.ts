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
  limitBelow: (left: string): string => `The coverage has ${left} left in this term: less than is claimed.`,
  aboveAuthority: (amount: string, bound: string): string =>
    `${amount} is over your authority of ${bound}: more is for another person to decide.`,
  otherCurrency: (own: string, other: string): string =>
    `Your authority is in ${own}, the claim in ${other}: another person approves and pays it.`,
  readOnly: 'You have access to read only: others work this claim.',
} as const;
