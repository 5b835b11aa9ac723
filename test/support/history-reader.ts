import { getClaim } from '#queries/claims.ts';
import { getCustomer } from '#queries/customers.ts';
import { getMerchant } from '#queries/merchants.ts';
import { getPolicy } from '#queries/policies.ts';
import type { Change } from '#queries/history/changes.ts';
import { getClaimHistory, getMerchantHistory, getPolicyHistory } from '#queries/history/histories.ts';
import { getCustomerHistory } from '#queries/history/customer-history.ts';
import type { AnyQuery, QueryContext, ResourceResponse } from '#queries/query.ts';
import { PROJECTIONS } from '#projections/registry.ts';
import { parseInput } from '#event-sourcing/executor/parse-input.ts';
import { Refusal } from '#domain/refusals.ts';
import type { CommandHarness } from './command-harness.ts';
import type { TestReadModels } from './test-read-models.ts';
import { UNUSED_PARTS } from './query-context.ts';

/** The resources with a history: the queries of the current resource and of its history. */
const KINDS: Readonly<Record<string, { readonly view: AnyQuery; readonly history: AnyQuery; readonly name: string }>> =
  {
    policies: { view: getPolicy, history: getPolicyHistory, name: 'policy_id' },
    claims: { view: getClaim, history: getClaimHistory, name: 'id' },
    customers: { view: getCustomer, history: getCustomerHistory, name: 'id' },
    merchants: { view: getMerchant, history: getMerchantHistory, name: 'short_code' },
  };

export interface Resource {
  readonly kind: string;
  /** Its id in paths. */
  readonly name: string;
}

export interface Entry {
  /** Of entries in the history of a customer. */
  readonly resource?: string;
  readonly revision: number;
  readonly recorded_at: string | null;
  readonly summary: string;
  readonly changes: readonly Change[];
}

/** Queries resources and histories as an auditor. The read models must have caught up with the log of the harness. */
export class HistoryReader {
  readonly #harness: CommandHarness;
  readonly #readModels: TestReadModels;

  constructor(harness: CommandHarness, readModels: TestReadModels) {
    this.#harness = harness;
    this.#readModels = readModels;
  }

  /** Lists all resources that have a history. */
  async resources(): Promise<readonly Resource[]> {
    const found: Resource[] = [];
    for (const kind of Object.keys(KINDS)) {
      for (const { key, indexes } of await this.#readModels.scan(kind, { after: undefined, limit: 1_000 })) {
        found.push({ kind, name: String(indexes['short_code'] ?? key) });
      }
    }
    return found;
  }

  /** Returns the resource as text, now or at a point in time; the error code when it is refused. */
  async view(resource: Resource, pointInTime: Readonly<Record<string, string>> = {}): Promise<string> {
    try {
      const response = await this.query('view', resource, pointInTime);
      if (response.kind === 'resource') return await bodyText(response.body);
    } catch (error) {
      if (error instanceof Refusal) return error.code;
      throw error;
    }
    throw new Error('a resource is expected, not a page');
  }

  /** Reads the whole history in pages of `limit`. */
  async history(resource: Resource, limit: number): Promise<readonly Entry[]> {
    const entries: Entry[] = [];
    for (;;) {
      const page = await this.query('history', resource, { limit: String(limit), offset: String(entries.length) });
      if (page.kind !== 'page') throw new Error('a page is expected');
      entries.push(...(JSON.parse(page.results) as Entry[]));
      if (entries.length >= page.count) return entries;
    }
  }

  async query(what: 'view' | 'history', { kind, name }: Resource, search: Readonly<Record<string, string>>) {
    const queries = KINDS[kind];
    if (queries === undefined) throw new Error(`${kind} have no history`);
    const query = queries[what];
    const path = parseInput(query.pathParameters, { [queries.name]: name });
    return await query.respond({ path, search: parseInput(query.search, search) }, this.#context());
  }

  #context(): QueryContext {
    const { now, eventStore, records } = this.#harness;
    return {
      reader: { role: 'auditor' },
      key: { keyId: 'k1', label: 'audit', person: null, authority: null, access: 'full', expiresAt: null },
      readModels: this.#readModels,
      records,
      eventStore,
      collections: new Map(PROJECTIONS.map(({ name, version }) => [name, version])),
      now,
      nextTurn: async () => await Promise.resolve(),
      ...UNUSED_PARTS,
    };
  }
}

async function bodyText(body: ResourceResponse['body']): Promise<string> {
  return typeof body === 'string' ? body : (await Array.fromAsync(body.chunks())).join('');
}
