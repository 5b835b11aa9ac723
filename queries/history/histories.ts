import { customerOf, referenceOf } from '../customer-references.ts';
import { z } from 'zod';
import { type ClaimDocument, claims } from '#projections/claims/claims.ts';
import { merchants } from '#projections/merchants/merchants.ts';
import { policies, type PolicyDocument } from '#projections/policies/policies.ts';
import { policyViewOn, termResourcesOn } from '#projections/policies/policy-resource.ts';
import { recordedAtOf } from '#projections/projection.ts';
import { todayOf } from '#domain/policy/cover.ts';
import type { StoredEvent } from '#stores/event-log/event-log.ts';
import { paging } from '../lists.ts';
import { claimPath, environmentChoice, merchantPath, policyPath } from '../parameters.ts';
import { defineQuery, EVERY_ROLE, type QueryContext, type QueryDefinition } from '../query.ts';
import {
  CLAIM_ERRORS,
  getClaimDocument,
  getOwnMerchantDocument,
  getPolicyDocument,
  MERCHANT_ERRORS,
  POLICY_ERRORS,
} from '../resources.ts';
import {
  describeHistory,
  downloadRows,
  HISTORY_ERRORS,
  HISTORY_HEADINGS,
  historyEntrySchema,
  historyOf,
  historyPageOf,
  type LazyEntry,
  type HistorySource,
} from './history-page.ts';

type Search = z.output<z.ZodObject<typeof environmentChoice>>;

interface HistoryDefinition<Path extends z.ZodType>
  extends Pick<QueryDefinition<Path>, 'name' | 'summary' | 'description' | 'errors' | 'pathParameters'>,
    Partial<Pick<QueryDefinition<Path>, 'roles'>> {
  readonly search: Partial<typeof environmentChoice>;
  /** @throws {Refusal} when there is no such resource */
  readonly read: (
    input: { readonly path: z.output<Path>; readonly search: Search },
    context: QueryContext,
  ) => Promise<AsyncIterable<LazyEntry>>;
}

/** Declares the query of the history of one resource, which is read by pages or downloaded whole. */
function defineHistory<Path extends z.ZodType>({ search, read, ...definition }: HistoryDefinition<Path>) {
  return defineQuery({
    ...definition,
    search: z.strictObject({ ...search, ...paging }) as z.ZodType<Search & z.output<z.ZodObject<typeof paging>>>,
    paged: true,
    showsPaging: true,
    response: z.array(historyEntrySchema),
    respond: async (input, context) =>
      await context.replay(async () => await historyPageOf(await read(input, context), input.search)),
    download: {
      search: z.strictObject(search) as z.ZodType<Search>,
      headings: HISTORY_HEADINGS,
      rows: async (input, context) => downloadRows(await read(input, context)),
    },
  });
}

/**
 * Returns the source of histories of policies. An entry shows the view on the day on which the event was recorded, in
 * the zone of the policy, and its terms. The reference of the customer is that of now, as in every view; only the
 * history of the customer shows its changes.
 */
export function policySource(customer_reference: string | null): HistorySource<PolicyDocument> {
  const toResource = ({ policy }: PolicyDocument, event: StoredEvent): object => {
    const day = todayOf(policy, recordedAtOf(event));
    return { ...policyViewOn(policy, day), customer_reference, terms: termResourcesOn(policy, day) };
  };
  return { projection: policies, toResource };
}

/** The source of histories of claims. */
export const CLAIM_SOURCE: HistorySource<ClaimDocument> = {
  projection: claims,
  toResource: async (document, _event, labels) => await labels.readClaimResource(document),
};

export const getPolicyHistory = defineHistory({
  name: 'GetPolicyHistory',
  roles: EVERY_ROLE,
  summary: 'Lists everything that happened to a policy, oldest first, with what each event changed.',
  description: describeHistory('policy'),
  errors: [...POLICY_ERRORS, ...HISTORY_ERRORS],
  pathParameters: policyPath,
  search: environmentChoice,
  read: async ({ path, search }, context) => {
    const stored = await getPolicyDocument(context, path.policy_id, search.environment_id);
    return historyOf(context, policySource(await referenceOf(context, customerOf(stored))), stored);
  },
});

export const getClaimHistory = defineHistory({
  name: 'GetClaimHistory',
  roles: EVERY_ROLE,
  summary:
    'Lists everything that happened to a claim, oldest first, with what each event changed; a document appears by the SHA-256 of its content.',
  description: describeHistory('claim'),
  errors: [...CLAIM_ERRORS, ...HISTORY_ERRORS],
  pathParameters: claimPath,
  search: environmentChoice,
  read: async ({ path, search }, context) => {
    const stored = await getClaimDocument(context, path.id, search.environment_id);
    return historyOf(context, CLAIM_SOURCE, stored);
  },
});

export const getMerchantHistory = defineHistory({
  name: 'GetMerchantHistory',
  summary: 'Lists everything that happened to a merchant, oldest first; a merchant reads its own only.',
  description: describeHistory('merchant'),
  errors: [...MERCHANT_ERRORS, ...HISTORY_ERRORS],
  pathParameters: merchantPath,
  search: {},
  read: async ({ path }, context) => {
    const stored = await getOwnMerchantDocument(context, path.short_code);
    return historyOf(context, { projection: merchants, toResource: (merchant) => merchant }, stored);
  },
});
