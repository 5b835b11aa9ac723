import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { termRow } from '../../support/api-scene.ts';
import type { Service } from '../../support/service-process.ts';
import { until } from '../../support/until.ts';

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

/** A request that is not answered yet, and what was said to it last. */
interface Pending {
  readonly path: string;
  last: string;
}

/** Clients that write without end, and ask again under the same key until they have an answer. */
export class Load {
  readonly acknowledged: Acknowledged = { policies: [], claims: [], merchants: [] };
  /** Answers that told that it cannot be done now. */
  unavailable = 0;
  readonly #service: Service;
  readonly #environmentId: number;
  readonly #key: string;
  #round = { isOver: true };
  #clients = 0;
  readonly #pending = new Set<Pending>();
  readonly #failures: Error[] = [];

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
    this.#round.isOver = true;
    const round = { isOver: false };
    this.#round = round;
    const again = async (story: () => Promise<void>): Promise<void> => {
      this.#clients += 1;
      try {
        while (!round.isOver) await story();
      } catch (error) {
        // Told by whoever waits next: nobody waits for this client alone.
        this.#failures.push(error instanceof Error ? error : new Error(String(error)));
      }
      this.#clients -= 1;
    };
    for (let n = 0; n < clients; n += 1) void again(async () => await this.#story());
    void again(async () => await this.#registration());
  }

  /**
   * Every request that was begun is answered then. One that is not in time goes on, so that it is known in the end whether it
   * was carried out, and the next `end` waits for it again.
   * @throws {Error} with what was said to it last
   */
  async end(): Promise<void> {
    this.#round.isOver = true;
    await until(
      () => this.#clients === 0,
      () => `requests stay without an answer: ${this.#told()}`,
    );
    this.#throwFailure();
  }

  /** Waits until so many more are acknowledged. @throws {Error} when a request is refused, or not answered in time */
  async until(more: number): Promise<void> {
    const { claims } = this.acknowledged;
    const wanted = claims.length + more;
    await until(
      () => {
        this.#throwFailure();
        return claims.length >= wanted;
      },
      () => `${claims.length} of ${wanted} claims are acknowledged: ${this.#told()}`,
    );
  }

  #told(): string {
    return [...this.#pending].map(({ path, last }) => `${path}: ${last}`).join('\n');
  }

  #throwFailure(): void {
    const [failure] = this.#failures.splice(0);
    if (failure !== undefined) throw failure;
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
    const pending: Pending = { path, last: 'asked for the first time' };
    this.#pending.add(pending);
    try {
      for (;;) {
        const answer = await this.#ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
        if (answer.status !== undefined && answer.status < 300)
          return JSON.parse(answer.text) as Record<string, unknown>;
        pending.last = `${answer.status ?? 'no answer'} ${answer.text}`;
        if (answer.status !== undefined && answer.status < 500) throw new Error(`${path}: ${pending.last}`);
        // It is never killed here, so nobody will answer any more.
        const { isRunning, stderr } = this.#service.process;
        if (!isRunning) throw new Error(`The api has ended:\n${stderr.slice(-2_000)}`);
        this.unavailable += 1;
        await pause(200);
      }
    } finally {
      this.#pending.delete(pending);
    }
  }

  /** The answer, or without a status why there is none. */
  async #ask(path: string, init: RequestInit): Promise<{ readonly status?: number; readonly text: string }> {
    try {
      const answer = await this.#service.ask(path, { ...init, signal: AbortSignal.timeout(30_000) });
      return { status: answer.status, text: await answer.text() };
    } catch (error) {
      return { text: String(error) };
    }
  }
}
