import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { termRow } from '../../support/api-scene.ts';
import type { Service } from '../../support/service-process.ts';

/** What was acknowledged: once for each request. */
export interface Acknowledged {
  /** Ids of policies that were imported. */
  readonly policies: string[];
  /** Ids of claims that were filed. */
  readonly claims: string[];
  /** Tenant ids of merchants that were registered: each is mailed. */
  readonly merchants: string[];
}

/** Between two stories of a client. */
const PAUSE_MS = 400;

/** Clients that write without end, and ask again under the same key until they have an answer. */
export class Load {
  readonly acknowledged: Acknowledged = { policies: [], claims: [], merchants: [] };
  /** Answers that told that it cannot be done now. */
  unavailable = 0;
  readonly #service: Service;
  readonly #environmentId: number;
  readonly #key: string;
  #over = false;
  #clients: readonly Promise<void>[] = [];

  private constructor(service: Service, environmentId: number, key: string) {
    this.#service = service;
    this.#environmentId = environmentId;
    this.#key = key;
  }

  /** Makes a merchant for them. */
  static async on(service: Service): Promise<Load> {
    const result = async (name: string, body: object): Promise<Record<string, unknown>> => {
      const answer = await service.command(name, body);
      if (answer.status > 201) throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
      return ((await answer.json()) as { result: Record<string, unknown> }).result;
    };
    const merchant = await result('RegisterMerchant', { name: 'Load Bank', business_email: 'load@bank.example' });
    const environment = await result('CreateEnvironment', {
      short_code: merchant['short_code'],
      environment_name: 'Production',
      test_mode: false,
    });
    const environmentId = Number(environment['environment_id']);
    const { api_key: key } = await result('IssueApiKey', { environment_id: environmentId });
    const load = new Load(service, environmentId, String(key));
    load.acknowledged.merchants.push(String(merchant['tenant_id']));
    return load;
  }

  begin(clients = 3): void {
    this.#over = false;
    const writers = Array.from({ length: clients }, async () => {
      while (!this.#over) await this.#story();
    });
    const registrar = async (): Promise<void> => {
      while (!this.#over) await this.#registration();
    };
    this.#clients = [...writers, registrar()];
  }

  /** Every request that was begun is answered then. */
  async end(): Promise<void> {
    this.#over = true;
    await Promise.all(this.#clients);
  }

  /** Waits until so many more are acknowledged. */
  async until(more: number): Promise<void> {
    const { claims } = this.acknowledged;
    for (const wanted = claims.length + more; claims.length < wanted; ) await pause(20);
  }

  async #story(): Promise<void> {
    const row = { ...termRow(`LOAD-${randomUUID().slice(0, 13)}`), environment_id: this.#environmentId };
    const imported = await this.#insist('/api/v1/admin/commands/ImportPolicyTerm', row, this.#service.adminKey);
    const policyId = String((imported['result'] as Record<string, unknown>)['policy_id']);
    this.acknowledged.policies.push(policyId);
    const details = { claim_type: 'Collision', incident_date: '2026-02-01', claim_amount: '1200.50' };
    const filed = await this.#insist('/api/v1/claims', { policy_id: policyId, claim_details: details }, this.#key);
    this.acknowledged.claims.push(String(filed['claim_id']));
    await pause(PAUSE_MS);
  }

  async #registration(): Promise<void> {
    const body = { name: 'Mailed Bank', business_email: 'office@mailed.example' };
    const { result } = await this.#insist('/api/v1/admin/commands/RegisterMerchant', body, this.#service.adminKey);
    this.acknowledged.merchants.push(String((result as Record<string, unknown>)['tenant_id']));
    await pause(3 * PAUSE_MS);
  }

  async #insist(path: string, body: object, key: string): Promise<Record<string, unknown>> {
    const headers = { 'content-type': 'application/json', 'x-api-key': key, 'idempotency-key': randomUUID() };
    for (;;) {
      const answer = await this.#service
        .ask(path, { method: 'POST', headers, body: JSON.stringify(body), signal: AbortSignal.timeout(30_000) })
        .catch(() => undefined);
      if (answer !== undefined && answer.status < 300) return (await answer.json()) as Record<string, unknown>;
      const text = (await answer?.text()) ?? 'no answer';
      if (answer !== undefined && answer.status < 500) throw new Error(`${path}: ${answer.status} ${text}`);
      this.unavailable += 1;
      await pause(200);
    }
  }
}
