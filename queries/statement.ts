import { z } from 'zod';
import type { PolicyDocument } from '../projections/policies/policies.ts';
import {
  type ListedTransaction,
  type Transaction,
  TRANSACTION_KINDS,
  transactionSchema,
} from '../projections/transactions/transaction.ts';
import { addDays, dayAfter, dayIn, LAST_DAY, startOfDay, UTC } from '../src/domain/values/dates.ts';
import type { PolicyState } from '../src/domain/policy/policy.ts';
import { Refusal } from '../src/domain/refusals.ts';
import { type Day, day } from '../src/event-sourcing/time.ts';
import type { StoredDocument } from '../src/read-models/read-models.ts';
import {
  type CursorList,
  merchantListSearch,
  ownedRange,
  ownerOfList,
  readCursorPage,
  readWholeList,
  requireOrder,
} from './cursor-lists.ts';
import { referencesOf } from './customer-references.ts';
import { testModeSearch } from './lists.ts';
import { merchantPath } from './parameters.ts';
import { defineQuery, type DownloadRow, type QueryContext } from './query.ts';
import { parseBody } from './resources.ts';

const statementEntrySchema = transactionSchema
  .extend({
    policy_number: z.string(),
    customer_reference: z
      .string()
      .nullable()
      .meta({ description: "The merchant's number of the customer as it is now" }),
    product: z.string().meta({ description: 'Name of the product' }),
    insurer: z.string().meta({ description: 'Name of the insurer' }),
  })
  .meta({ id: 'StatementEntry' });
type StatementEntry = Readonly<z.output<typeof statementEntrySchema>>;

const filters = {
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
};
type Filters = z.output<z.ZodObject<typeof filters>>;

type Cell = (entry: StatementEntry) => string | null;

const COLUMNS: Readonly<Record<string, Cell>> = {
  transaction_id: ({ transaction_id }) => transaction_id,
  kind: ({ kind }) => kind,
  amount: ({ amount }) => amount,
  net: ({ net }) => net,
  fee: ({ fee }) => fee,
  tax: ({ tax }) => tax,
  commission: ({ commission }) => commission,
  currency: ({ currency }) => currency,
  date: ({ date }) => date,
  recorded_at: ({ recorded_at }) => recorded_at,
  event_id: ({ event_id }) => event_id,
  policy_id: ({ policy_id }) => policy_id,
  policy_number: ({ policy_number }) => policy_number,
  customer_reference: ({ customer_reference }) => customer_reference,
  product: ({ product }) => product,
  insurer: ({ insurer }) => insurer,
  claim_id: ({ claim_id }) => claim_id,
  term_id: ({ term_id }) => term_id,
  term_from: ({ term }) => term?.from ?? null,
  term_through: ({ term }) => term?.through ?? null,
};

export const getStatement = defineQuery({
  name: 'GetStatement',
  summary:
    'Lists the transactions of all policies of a merchant in the order in which they were recorded, such as the statement of a month.',
  pathParameters: merchantPath,
  search: z.strictObject({ ...merchantListSearch, ...filters }),
  paged: true,
  byCursor: true,
  response: z.array(statementEntrySchema),
  async respond({ path, search: { limit, after, test_mode, ...given } }, context) {
    const owner = await ownerOfList(context, path.short_code, { test_mode });
    const { list } = statementOf(context, owner, given);
    return await readCursorPage(context, list, { limit, after });
  },
  download: {
    search: z.strictObject({ ...testModeSearch, ...filters }),
    headings: Object.keys(COLUMNS),
    rows: async ({ path, search: { test_mode, ...given } }, context) => {
      const owner = await ownerOfList(context, path.short_code, { test_mode });
      return rowsOf(context, statementOf(context, owner, given));
    },
  },
});

interface Statement {
  readonly list: CursorList;
  readonly entries: (documents: readonly StoredDocument[]) => Promise<readonly StatementEntry[]>;
}

/** @throws {Refusal} `invalid_request` when the last day is before the first */
function statementOf(context: QueryContext, owner: string, given: Filters): Statement {
  const { recorded_from: from, recorded_through: through, kind } = given;
  requireOrder({ from, through }, 'recorded_');
  const contractsOf = contractReader(context);
  const entries: Statement['entries'] = async (documents) => {
    const listed = documents.map(transactionIn);
    const contracts = await contractsOf(listed);
    const references = await referencesOf(
      context,
      listed.map(({ customer_id }) => customer_id),
    );
    return listed.map(({ customer_id, transaction }) => {
      const { policyNumber: policy_number, product, provider } = contracts(transaction);
      const customer_reference = references.get(customer_id) ?? null;
      return { ...transaction, policy_number, customer_reference, product: product.name, insurer: provider.name };
    });
  };
  const filter: CursorList['filter'] = async (documents) => {
    if (from === undefined && through === undefined && kind === undefined) return documents;
    const contracts = await contractsOf(documents.map(transactionIn));
    return documents.filter((stored) => {
      const { transaction } = transactionIn(stored);
      if (kind !== undefined && transaction.kind !== kind) return false;
      const recordedOn = dayIn(contracts(transaction).timeZone, transaction.recorded_at);
      return (from === undefined || recordedOn >= from) && (through === undefined || recordedOn <= through);
    });
  };
  const list = {
    list: 'GetStatement',
    owner,
    filters: given,
    collection: 'transactions',
    range: ownedRange('owner_recorded', owner, utcBounds(from, through)),
    filter,
    items: async (documents: readonly StoredDocument[]) =>
      (await entries(documents)).map((entry) => JSON.stringify(entry)),
  };
  return { list, entries };
}

/** Returns bounds of the instants of days in any time zone: a day is over everywhere when the next one is over in UTC. */
function utcBounds(from: Day | undefined, through: Day | undefined) {
  const last = through === undefined ? null : dayAfter(through);
  return {
    from: from === undefined ? undefined : addDays(from, -1),
    through: last === null ? undefined : startOfDay(dayAfter(last) ?? LAST_DAY, UTC),
  };
}

async function* rowsOf(context: QueryContext, { list, entries }: Statement): AsyncGenerator<DownloadRow> {
  for await (const documents of readWholeList(context, list)) {
    for (const item of await entries(documents))
      yield { item, cells: Object.values(COLUMNS).map((cell) => cell(item)) };
  }
}

function transactionIn(stored: StoredDocument): ListedTransaction {
  return parseBody(stored) as ListedTransaction;
}

/** What a statement shows of a policy. It never changes. */
type Contract = Pick<PolicyState, 'policyNumber' | 'timeZone' | 'product' | 'provider'>;

/**
 * Returns a reader of the policies of transactions. It keeps those that it read last, because a list is filtered and then shown.
 */
function contractReader({ readModels }: QueryContext) {
  let known: ReadonlyMap<string, Contract> = new Map();
  /** @throws {Refusal} `document_parked` when a policy cannot be read */
  const contractOf = ({ policy_id }: Transaction): Contract => {
    const contract = known.get(policy_id);
    if (contract !== undefined) return contract;
    // A statement without the line would not add up. The policy was parked before its first state, or is written at this moment.
    throw new Refusal('document_parked', `The policy ${policy_id} of a transaction cannot be read`);
  };
  return async (listed: readonly ListedTransaction[]) => {
    const ids = [...new Set(listed.map(({ transaction }) => transaction.policy_id))];
    const stored = await readModels.getMany(
      'policies',
      ids.filter((id) => !known.has(id)),
    );
    const readable = stored.filter(({ body }) => body !== undefined);
    const read = new Map(readable.map((one) => [one.key, (parseBody(one) as PolicyDocument).extra.policy]));
    known = new Map(
      ids.flatMap((id) => {
        const contract = read.get(id) ?? known.get(id);
        return contract === undefined ? [] : [[id, contract] as const];
      }),
    );
    return contractOf;
  };
}
