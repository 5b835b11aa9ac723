import { z } from 'zod';
import { insurerIndex, ownedValue } from '#projections/owner.ts';
import { CLAIM_HANDLERS } from '#domain/claim/claim-commands.ts';
import { isClosed, STAGES } from '#domain/claim/stages.ts';
import { addDays, dayIn, UTC } from '#domain/values/dates.ts';
import { modeOf } from '#domain/values/mode.ts';
import type { Role } from '#domain/values/rights.ts';
import { testModeOf, testModeSearch } from './lists.ts';
import { defineQuery, EVERY_ROLE, type QueryContext } from './query.ts';
import { ownerOfReader } from './resources.ts';

/** Each count ends here. */
const MAX_COUNT = 1_000;
const RENEWAL_DAYS = 30;
const KEY_DAYS = 14;

/** The stages of claims that wait for someone. */
const OPEN_STAGES = STAGES.filter((stage) => !isClosed(stage));

const count = z.int().nonnegative().max(MAX_COUNT);

const workSchema = z
  .strictObject({
    claims: z
      .strictObject(Object.fromEntries(OPEN_STAGES.map((stage) => [stage, count])))
      .meta({ description: 'Open claims by stage' }),
    assigned_to_me: count.optional().meta({
      description: 'Open claims that are assigned to the person, or to the key; not of merchants and auditors',
    }),
    offers_to_answer: count.optional().meta({ description: 'Claims with an open offer; of merchants' }),
    policies_waiting: count
      .optional()
      .meta({ description: 'Policies that wait for ActivatePolicy; of administrators' }),
    renewals_due: count.optional().meta({
      description: `Policies with a \`renewal_date\` from today to ${RENEWAL_DAYS} days ahead, by the day in UTC; of merchants`,
    }),
    keys_expiring: count.optional().meta({
      description: `Keys that expire within ${KEY_DAYS} days: of merchants those of the environment, of administrators all`,
    }),
    parked_documents: count.optional().meta({ description: 'Of administrators and auditors' }),
    parked_mails: count.optional().meta({ description: 'Of administrators and auditors' }),
  })
  .meta({ id: 'Work' });
type Work = z.output<typeof workSchema>;

export const getWork = defineQuery({
  name: 'GetWork',
  summary: 'Counts what waits for the caller.',
  description: `Counts what waits for the caller, each to ${MAX_COUNT} at most. What is not the caller's is left out. Platform and insurer keys see live data, with \`test_mode=true\` test data.`,
  errors: [],
  roles: EVERY_ROLE,
  search: z.strictObject(testModeSearch),
  response: workSchema,
  async respond({ search }, context) {
    const { role } = context.reader;
    const testMode = testModeOf(context.reader, search);
    const claims = await countClaims(context, ...claimsOfReader(context, testMode));
    const counts = await Promise.all(
      Object.entries(COUNTS).map(async ([name, { roles, read }]) => {
        return roles.includes(role) ? [[name, Math.min(await read(context, testMode), MAX_COUNT)]] : [];
      }),
    );
    const offers = role === 'merchant' ? { offers_to_answer: claims['offer sent'] } : {};
    const work = { claims, ...offers, ...(Object.fromEntries(counts.flat()) as Omit<Work, 'claims'>) };
    return { kind: 'resource', body: JSON.stringify(work satisfies Work), etag: undefined };
  },
});

interface Count {
  readonly roles: readonly Role[];
  readonly read: (context: QueryContext, testMode: boolean) => Promise<number>;
}

const COUNTS: { readonly [Name in Exclude<keyof Work, 'claims' | 'offers_to_answer'>]-?: Count } = {
  assigned_to_me: {
    roles: CLAIM_HANDLERS,
    read: async (context, testMode) => {
      const { person, keyId } = context.key;
      const assignee = ownedValue(modeOf(testMode), String(person?.person_id ?? keyId));
      const byStage = await countClaims(context, 'assignee_stage', assignee);
      return Object.values(byStage).reduce((sum, one) => sum + one, 0);
    },
  },
  policies_waiting: {
    roles: ['admin'],
    read: async (context, testMode) => await countValue(context, 'policies', 'waiting', modeOf(testMode)),
  },
  renewals_due: {
    roles: ['merchant'],
    read: async ({ readModels, reader, now }) => {
      if (reader.role !== 'merchant') return 0;
      const [owner, today] = [ownerOfReader(reader), dayIn(UTC, now)];
      const bounds = { atLeast: ownedValue(owner, today), atMost: ownedValue(owner, addDays(today, RENEWAL_DAYS)) };
      return await readModels.countIndex('policies', { index: 'owner_renewal', ...bounds, limit: MAX_COUNT });
    },
  },
  keys_expiring: {
    roles: ['merchant', 'admin'],
    read: async ({ readModels, reader, now }) => {
      const end = `${addDays(now.slice(0, 10), KEY_DAYS)}${now.slice(10)}`;
      const of = (instant: string) =>
        reader.role === 'merchant' ? ownedValue(String(reader.environmentId), instant) : instant;
      const index = reader.role === 'merchant' ? 'environment_expires' : 'expires';
      return await readModels.countIndex('api_keys', { index, atLeast: of(now), atMost: of(end), limit: MAX_COUNT });
    },
  },
  parked_documents: {
    roles: ['admin', 'auditor'],
    read: async ({ readModels, collections }) => {
      const names = [...collections.keys()];
      const counts = await Promise.all(names.map(async (name) => await readModels.countParked(name)));
      return counts.reduce((sum, one) => sum + one, 0);
    },
  },
  parked_mails: {
    roles: ['admin', 'auditor'],
    read: async (context) => await countValue(context, 'mail_jobs', 'status', 'parked'),
  },
};

/** Returns the index `…_stage` of the claims that the reader sees, and what its values begin with. */
function claimsOfReader({ reader }: QueryContext, testMode: boolean): [string, string] {
  if (reader.role === 'merchant') return ['owner_stage', ownerOfReader(reader)];
  if (reader.role === 'insurer') return ['insurer_stage', insurerIndex(reader.providerId, testMode)];
  return ['mode_stage', modeOf(testMode)];
}

async function countClaims(
  { readModels }: Pick<QueryContext, 'readModels'>,
  index: string,
  scope: string,
): Promise<Work['claims']> {
  const counts = OPEN_STAGES.map(async (stage) => {
    const beginning = ownedValue(ownedValue(scope, stage), '');
    const bounds = { index, atLeast: beginning, atMost: `${beginning}~`, limit: MAX_COUNT };
    return [stage, await readModels.countIndex('claims', bounds)] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

async function countValue(
  { readModels }: Pick<QueryContext, 'readModels'>,
  collection: string,
  index: string,
  value: string,
): Promise<number> {
  return await readModels.countIndex(collection, { index, atLeast: value, atMost: value, limit: MAX_COUNT });
}
