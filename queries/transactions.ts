import { z } from 'zod';
import { ownerOf } from '#projections/owner.ts';
import { addressOf } from '#projections/projection.ts';
import type { PolicyDocument } from '#projections/policies/policies.ts';
import {
  type ListedTransaction,
  type Transaction,
  TRANSACTION_KINDS,
  transactionSchema,
} from '#projections/transactions/transaction.ts';
import { addDays, dayAfter, dayIn } from '#domain/values/dates.ts';
import { type Contract, policyStream } from '#domain/policy/policy.ts';
import { type Refusal, refusalsOf } from '#domain/refusals.ts';
import { type Day, day } from '#event-sourcing/time.ts';
import type { StoredDocument } from '#stores/read-models/read-models.ts';
import {
  type CursorList,
  cursorPaging,
  ownedRange,
  ownerOfList,
  readCursorPage,
  requireOrder,
} from './cursor-lists.ts';
import { referencesOf } from './customer-references.ts';
import { AS_LIST_DOWNLOAD, downloadOf } from './list-downloads.ts';
import { testModeSearch, linkedPaging, type ListQuery, readPage } from './lists.ts';
import { merchantPath, customerPath, environmentChoice, policyPath } from './parameters.ts';
import { defineQuery, EVERY_ROLE, type QueryContext, type PageResponse } from './query.ts';
import {
  MERCHANT_ERRORS,
  parseBody,
  CUSTOMER_ERRORS,
  getCustomerDocument,
  getPolicyDocument,
  POLICY_ERRORS,
} from './resources.ts';

/** A transaction with what a statement shows of its policy. */
const merchantTransactionSchema = transactionSchema
  .extend({
    policy_number: z.string(),
    customer_id: z.uuid(),
    customer_reference: z
      .string()
      .nullable()
      .meta({ description: "The merchant's number of the customer as it is now" }),
    product: z.string().meta({ description: '`product.name` of the policy' }),
    insurer: z.string().meta({ description: '`provider.provider_name` of the policy' }),
  })
  .meta({ id: 'MerchantTransaction' });
type MerchantTransaction = Readonly<z.output<typeof merchantTransactionSchema>>;

const filters = z.strictObject({
  ...testModeSearch,
  recorded_from: day
    .optional()
    .meta({ description: 'Only what was recorded on this day or later, in the time zone of the policy' }),
  recorded_through: day
    .optional()
    .meta({ description: 'Only what was recorded on this day or earlier, in the time zone of the policy' }),
  kind: z
    .enum(TRANSACTION_KINDS, `must be one of: ${TRANSACTION_KINDS.join(', ')}`)
    .optional()
    .meta({ description: 'Only transactions of this kind' }),
});

const refuse = refusalsOf('document_parked');

export const listMerchantTransactions = defineQuery({
  name: 'ListMerchantTransactions',
  summary:
    'Lists the transactions of all policies of a merchant in the order in which they were recorded, such as the statement of a month.',
  description: `The transactions of all policies of the merchant in the mode of the key, in the order in which they were recorded; platform keys see live data, with \`test_mode=true\` test data. For the statement of a month, give its first and last day as
\`recorded_from\` and \`recorded_through\`: every transaction is on the statement of one month, whatever its \`date\`. \`customer_reference\` is that of now.

${AS_LIST_DOWNLOAD} By pages, follow \`next\` until it is null: it contains the cursor \`after\`, which belongs to this list, the merchant, the mode and the filters. A page may have fewer than \`limit\` items, or none, and still a \`next\`.

While an event of one of the policies cannot be read, the response is \`document_parked\`, because the sums would be wrong.`,
  errors: [...MERCHANT_ERRORS, ...refuse.codes],
  example: { search: { kind: 'premium' } },
  pathParameters: merchantPath,
  search: filters.extend(cursorPaging),
  paged: true,
  byCursor: true,
  response: z.array(merchantTransactionSchema),
  async respond({ path, search: { limit, after, ...given } }, context) {
    return await readCursorPage(context, await transactionsOfMerchant(context, path, given), { limit, after });
  },
  download: downloadOf(filters, merchantTransactionSchema, transactionsOfMerchant),
});

/** @throws {Refusal} as `ownerOfList`, and when the last day is before the first, or a document is parked */
async function transactionsOfMerchant(
  context: QueryContext,
  { short_code }: z.output<typeof merchantPath>,
  { test_mode, ...given }: z.output<typeof filters>,
): Promise<CursorList> {
  const owner = await ownerOfList(context, short_code, { test_mode });
  const { recorded_from: from, recorded_through: through, kind } = given;
  requireOrder({ from, through }, 'recorded_');
  await requireComplete(context, owner);
  const contractsOf = contractReader(context);
  const items: CursorList['items'] = async (documents) => {
    const listed = documents.map(transactionIn);
    const contractOf = await contractsOf(listed);
    const references = await referencesOf(
      context,
      listed.map(({ customer_id }) => customer_id),
    );
    return listed.map(({ customer_id, transaction }) => {
      const { policyNumber: policy_number, product, provider } = contractOf(transaction);
      const customer_reference = references.get(customer_id) ?? null;
      const item = { ...transaction, policy_number, customer_id, customer_reference, product: product.name };
      return JSON.stringify({ ...item, insurer: provider.name } satisfies MerchantTransaction);
    });
  };
  const filter: CursorList['filter'] = async (documents) => {
    const listed = documents
      .map((stored) => ({ stored, ...transactionIn(stored) }))
      .filter(({ transaction }) => kind === undefined || transaction.kind === kind);
    const depends = listed.filter(({ transaction }) => dependsOnZone(transaction, from, through));
    const contractOf = await contractsOf(depends);
    const others = new Set(
      depends.filter(({ transaction }) => {
        const recordedOn = dayIn(contractOf(transaction).timeZone, transaction.recorded_at);
        return (from !== undefined && recordedOn < from) || (through !== undefined && recordedOn > through);
      }),
    );
    return listed.filter((one) => !others.has(one)).map(({ stored }) => stored);
  };
  return {
    list: 'ListMerchantTransactions',
    owner,
    filters: given,
    collection: 'transactions',
    range: ownedRange('owner_recorded', owner, instantsOf(from, through)),
    filter,
    items,
  };
}

/** A time zone is at most a day from UTC, so only the days beside a bound depend on it. */
function dependsOnZone({ recorded_at }: Transaction, from: Day | undefined, through: Day | undefined): boolean {
  const dayInUtc = recorded_at.slice(0, 10);
  return (from !== undefined && dayInUtc <= from) || (through !== undefined && dayInUtc >= through);
}

/** Returns bounds of the instants of days in any time zone. */
function instantsOf(from: Day | undefined, through: Day | undefined) {
  const last = through === undefined ? null : dayAfter(through);
  const end = last === null ? null : dayAfter(last);
  // A day sorts before all its instants.
  return { from: from === undefined ? undefined : addDays(from, -1), through: end ?? undefined };
}

function transactionIn(stored: StoredDocument): ListedTransaction {
  return parseBody(stored) as ListedTransaction;
}

const MAX_PARKED = 1_000;

/**
 * Refuses a list that would lack transactions, because an event of a policy could not be folded: its sums would be
 * wrong.
 * @throws {Refusal} when it is parked
 */
async function requireComplete(context: QueryContext, owner: string): Promise<void> {
  const parked = await context.readModels.parked('transactions', { limit: MAX_PARKED, offset: 0 });
  for (const { key } of parked) {
    const ownerOfPolicy = await ownerOfParked(context, key);
    if (ownerOfPolicy === owner || ownerOfPolicy === undefined) throw transactionsMissing(key);
  }
}

function transactionsMissing(policyId: string): Refusal {
  return refuse('document_parked', `An event of the policy ${policyId} cannot be read: transactions are missing`);
}

/**
 * Returns the owner of a policy, by the metadata of its first event, which may be the one that cannot be read;
 * undefined without them.
 */
async function ownerOfParked({ eventStore }: QueryContext, policyId: string): Promise<string | undefined> {
  const [first] = await eventStore.readStream(policyStream(policyId), { limit: 1 });
  const { merchant, testMode } = first === undefined ? {} : addressOf(first).metadata;
  const isKnown = typeof merchant === 'string' && typeof testMode === 'boolean';
  return isKnown ? ownerOf({ merchant_id: merchant, test_mode: testMode }) : undefined;
}

/** The document of a policy may have megabytes. */
const POLICIES_PER_READ = 10;

/**
 * Returns a reader of the contracts of the policies of transactions. It keeps those that it read last, because a list
 * is filtered and then shown.
 */
function contractReader({ readModels, nextTurn }: QueryContext) {
  let last: ReadonlyMap<string, Contract> = new Map();
  return async (listed: readonly Pick<ListedTransaction, 'transaction'>[]) => {
    const ids = [...new Set(listed.map(({ transaction }) => transaction.policy_id))];
    const unknown = ids.filter((id) => !last.has(id));
    const read = new Map<string, Contract>();
    for (let from = 0; from < unknown.length; from += POLICIES_PER_READ) {
      if (from > 0) await nextTurn();
      const stored = await readModels.getMany('policies', unknown.slice(from, from + POLICIES_PER_READ));
      for (const one of stored)
        if (one.body !== undefined) read.set(one.key, (parseBody(one) as PolicyDocument).policy.contract);
    }
    const found = new Map<string, Contract>();
    for (const id of ids) {
      const contract = read.get(id) ?? last.get(id);
      if (contract !== undefined) found.set(id, contract);
    }
    last = found;
    /** @throws {Refusal} when the policy cannot be read, or is written at this moment */
    return ({ policy_id }: Transaction): Contract => {
      const contract = found.get(policy_id);
      if (contract === undefined)
        throw refuse('document_parked', `The policy ${policy_id} of a transaction cannot be read`);
      return contract;
    };
  };
}

/** Returns a page of transactions in the order of the log. @throws {Refusal} naming `after` or `before` */
async function readTransactionPage(context: QueryContext, query: ListQuery): Promise<PageResponse> {
  return await readPage(context, 'transactions', query, (stored) =>
    JSON.stringify((parseBody(stored) as ListedTransaction).transaction),
  );
}

export const listPolicyTransactions = defineQuery({
  name: 'ListPolicyTransactions',
  roles: EVERY_ROLE,
  summary:
    'Lists what is owed under a policy, in the order in which it was recorded: premiums, their changes, return premiums and claim payments.',
  description: describeTransactions('the policy'),
  errors: [...POLICY_ERRORS, ...refuse.codes],
  pathParameters: policyPath,
  search: z.strictObject({ ...environmentChoice, ...linkedPaging }),
  paged: true,
  response: z.array(transactionSchema),
  async respond({ path, search }, context) {
    const { environment_id, ...page } = search;
    const { key } = await getPolicyDocument(context, path.policy_id, environment_id);
    const stored = await context.readModels.get('transactions', key);
    if (stored?.parked !== undefined) throw transactionsMissing(key);
    return await readTransactionPage(context, { ...page, where: { policy: key } });
  },
});

export const listCustomerTransactions = defineQuery({
  name: 'ListCustomerTransactions',
  summary:
    'Lists what is owed under all policies of a customer, in the order in which it was recorded: premiums, their changes, return premiums and claim payments.',
  description: describeTransactions('all policies of the customer'),
  errors: CUSTOMER_ERRORS,
  pathParameters: customerPath,
  search: z.strictObject(linkedPaging),
  paged: true,
  response: z.array(transactionSchema),
  async respond({ path, search }, context) {
    const { key } = await getCustomerDocument(context, path.id);
    return await readTransactionPage(context, { ...search, where: { customer: key } });
  },
});

/** @param owner of the policies */
function describeTransactions(owner: string): string {
  return `What is owed under ${owner} by the contract, in the order of the log; Surety moves no money. Each term has one \`premium\`. A change of coverages is a
\`premium_change\` of each term that it touches, what a cancellation, a decline or a withdrawn term returns a \`return_premium\`, what a reinstatement owes again a \`premium_reinstated\`, a payment of a claim a \`claim_payment\`, and its reversal one of the positive amount. There is no entry for 0.00. Id, \`date\` and \`term\` are those
of the event: the activation of a policy changes no entry.`;
}
