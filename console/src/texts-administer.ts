/** Texts of what administrators and operators do. */
export const administerTexts = {
  keyOnce: 'The key is shown this once. Copy it to where it is used before you close this.',
  keyLost: (id: string): string =>
    `The key ${id} was issued, but the answer with it was lost, and it cannot be shown again. Revoke it, and issue another.`,
  issueAnother: 'Issue another',
  revokes: 'The key is refused from the next request on. It cannot be restored.',
  unchangedEmpty: 'A field that is left empty stays as it is.',
  removed: 'Removed',
  added: 'Added',
  noKeys: 'The person has no key. Without one a person signs in with an account, or by a link of surety sign-in.',
  noEnvironments: 'A key belongs to an environment, such as that of an app: add one first.',
  authority: 'Decides',
  decides: (approve: string, pay: string): string => `approves up to ${approve}, pays up to ${pay}`,
  insurerWithdraws: 'It is not listed any more, and its products give no quotes.',
  productWithdraws: 'It gives no quotes any more. Policies of it stay as they are.',
  plan: 'Plan',
  basePremium: 'Price for a year starts from',
  coolingOff: 'Days to cancel with everything returned',
  limit: 'Limit',
  mayArriveTwice: 'Whether it arrived is not known: it may arrive twice.',
  rebuildHelp:
    'All documents are computed again from the event log, beside those that are served, and take their place when they are complete.',
  readAgain: 'The events are applied again. If one still cannot be, the document stays parked.',
  generation: 'Documents computed again',
  firstGeneration: 'never, they grew with the log',
  lag: 'Events behind',
} as const;
