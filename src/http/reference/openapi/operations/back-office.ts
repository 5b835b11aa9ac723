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
  StartVerification: {
    description: `First reads every event of the log: that it is as it was appended and matches its schema, that none is missing, that ids are unique, and that revisions and times rise in each
stream. With a fault nothing else is compared: the log is restored from a backup, and the read models are kept until then. Otherwise recomputes
every document of the read models from the event log, in a thread of its own and into a temporary file, and compares it with the stored one byte for byte. It also
compares the content of every claim document with its SHA-256. Requests are served meanwhile; a document that changes meanwhile is compared as it is after
its own newest event.

Poll the verification in \`Location\` until its \`state\` is not \`running\`. One runs at a time; a request meanwhile is refused (429) with its \`verification_id\`. \`surety verify --url\` does all of it.`,
    codes: ['verification_running', 'read_models_building'],
  },
  GetVerification: {
    description: `One of the last 20 verifications. \`failed\`: a store did not answer, the service was stopped, or its process has been silent for a minute. A completed one has found nothing if
the numbers \`faults\`, \`differing\`, \`missing\`, \`surplus\` and \`parked\` are 0, and the \`differences\` of \`contents\` are empty.`,
    request: { path: { verification_id: '{StartVerification.verification_id}' } },
    withoutExample: ['verification_id'],
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
    request: { path: { rebuild_id: '{RequestRebuild.rebuild_id}' } },
    withoutExample: ['rebuild_id'],
    codes: ['rebuild_not_found'],
  },
  GetStatus: {
    description: `What an operator looks at first. \`checks\` are those of \`/readyz\` of the process that answers, each named like the heading of the runbook that says what to do. What only other processes do is read from the stores that they share: positions of the
read models, the holders of the leases, the checkpoint of the relay. A holder that died is shown until another process takes its lease. What a store does not answer within 2 s is null.

On a data folder one process has all roles; \`leader\` is its host and process id.`,
  },
  ListMailJobs: {
    description: 'Mails with their attempts. A parked mail needs a decision: ResendMail, or nothing.',
  },
  ListCommands: {
    description: 'All commands with the JSON Schemas of their bodies. Other names answer 404 `command_not_found`.',
  },
});
