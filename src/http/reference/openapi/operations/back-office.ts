import { pagesOf } from '../page.ts';

export const BACK_OFFICE_PAGES = pagesOf('Back office', {
  GetPortfolio: {
    description: `The book on a day, folded from the event log in a thread of its own, never from the read models. For each policy and claim it folds exactly the events that the
view with the same \`as_of\` and \`known_at\` folds; what that view answers with 404 counts nowhere. Each policy is counted by the day in its own time zone. Amounts are computed
per term, rounded half-up to 2 decimals and then summed; written = earned + unearned + returned.

A claim has the group and currency of its policy. Rows of zeros are left out. The day may lie in the future: then only what is agreed counts. \`position\` is the end of the log when
the computation began.

A process computes one portfolio at a time and refuses others (429). It reads the whole log, so the response takes seconds for a large book, and the computation ends when the client
closes the connection. An event of a policy or claim that cannot be folded refuses every portfolio that would count it (\`document_parked\`, which names the stream), because its
figures would be wrong.`,
    request: { query: { as_of: '2026-03-10', group_by: 'product_type' } },
    codes: ['portfolio_running', 'document_parked'],
  },
  GetVerification: {
    description: `One of the last 20 verifications. \`failed\`: a store did not answer, the service was stopped, or its process has been silent for a minute. A completed one has found nothing if
the numbers \`faults\`, \`differing\`, \`missing\`, \`surplus\` and \`parked\` are 0, and the \`differences\` of \`contents\` are empty.`,
    codes: ['verification_not_found'],
  },
  ListVerifications: {
    description:
      'The last 20 verifications, newest first. `findings` is 0 where a completed one has found nothing; the single verification has the report.',
  },
  ListPlatformKeys: {
    description:
      "The keys of administrators and auditors, oldest first, with the time of their revocation. The administrator's key of the settings is not listed.",
  },
  ListParked: {
    description:
      'Documents that are parked because an event could not be folded. Reading one answers 503, lists show the last valid state. After a repair, use RetryParked.',
  },
  RequestRebuild: {
    description: `Rebuilds read models from the whole log, beside the documents that are served, and then serves the new ones, all at once. Requests are answered from the old documents until then, and see no difference otherwise. Without
\`collections\` all are rebuilt. Poll the rebuild until its \`state\` is not \`running\`. \`superseded\`: all read models were built from the log after the request, for example because they were deleted.
\`refused\`: the log is damaged, or documents that are served would be parked, as \`reason\` says; the documents stay as they are. A verification names what is wrong with the log.`,
    request: { body: { collections: ['providers'] } },
    codes: ['rebuild_running'],
  },
  ListRebuilds: {
    description: 'The last 20 rebuilds, newest first, each as its own view.',
  },
  GetRebuild: {
    description: 'A rebuild. `progress` is known to the process that executes it.',
    codes: ['rebuild_not_found'],
  },
  ListMailJobs: {
    description: 'Mails with their attempts. A parked mail needs a decision: ResendMail, or nothing.',
  },
});
