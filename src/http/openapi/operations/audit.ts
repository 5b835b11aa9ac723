import type { OperationPages } from '../page.ts';

export const AUDIT_PAGES: OperationPages = {
  GetPortfolio: {
    tag: 'Back office',
    description: `The book on a day, folded from the event log in a thread of its own, never from the read models. For each policy and claim it folds exactly the events that the
view with the same \`as_of\` and \`known_at\` folds; what that view answers with 404 counts nowhere. Each policy is counted by the day in its own time zone. Amounts are computed
per term, rounded half-up to 2 decimals and then summed; written = earned + unearned + returned.

A claim has the group and currency of its policy. Rows of zeros are left out. The day may lie in the future: then only what is agreed counts. \`position\` is the end of the log when
the computation began.

A process computes one portfolio at a time and refuses others (429). It reads the whole log, so the answer takes seconds for a large book, and the computation ends when the client
closes the connection. An event of a policy or claim that cannot be folded refuses every portfolio that would count it (\`document_parked\`, which names the stream), because its
figures would be wrong.`,
    request: { query: { as_of: '2026-03-10', group_by: 'product_type' } },
    codes: ['portfolio_running', 'document_parked'],
  },
  VerifyReadModels: {
    tag: 'Back office',
    description: `First reads every event of the log: that it is as it was appended and matches its schema, that none is missing, that ids are unique, and that revisions and times rise in each
stream. With a fault nothing else is compared: the log is restored from a backup, and the read models are kept until then. Otherwise recomputes
every document of the read models from the event log, in a thread of its own and into a temporary file, and compares it with the stored one byte for byte. It also
compares the content of every claim document with its SHA-256. Requests are served meanwhile; a document that changes meanwhile is compared as it is after
its own newest event. \`surety verify --url\` prints the answer.

Each line is a JSON object with a \`type\`: \`progress\` about twice a second, then a line for each of the first 1,000 faults of the log (\`fault\`; of
unknown types the first 1,000 besides), of the first 1,000 differing documents (\`document\`) and of the first 1,000 parked ones (\`parked\`) and each wrong
content (\`content\`), and at the end one \`sum\`. An answer that ends without \`sum\` is not a result: a line \`problem\` says why, unless the connection was cut.

A process runs one verification at a time and refuses others (429). It ends when the client closes the connection.`,
    codes: ['verification_running', 'read_models_building'],
    mediaType: 'application/x-ndjson',
  },
};
