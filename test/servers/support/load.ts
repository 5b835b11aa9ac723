import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { termRow } from '../../support/merchant-fixture.ts';
import type { Service } from '../../support/service-process.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** The results of acknowledged requests. */
export interface Acknowledged {
  /** Ids of imported policies. */
  readonly policies: string[];
  /** Ids of submitted claims. */
  readonly claims: string[];
  /** Tenant ids of registered merchants; each registration sends a mail. */
  readonly merchants: string[];
}

/**
 * Pause of a client between two rounds. Shorter ones catch nothing more, and cost every process of the installation CPU
 * for each event.
 */
const PAUSE_MS = 1_000;

/** A request without a final response, and its last response or error. */
interface Pending {
  readonly path: string;
  lastResponse: string;
}

/** Clients that write continuously and repeat each request under the same idempotency key until it is answered. */
export class Load {
  readonly acknowledged: Acknowledged = { policies: [], claims: [], merchants: [] };
  /** Number of responses with status 5xx, and of requests without a response. */
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

  /** Creates the clients with a merchant and a key. */
  static async create(service: Service): Promise<Load> {
    const { environment_id, tenant_id } = await service.createEnvironment();
    const { api_key: key } = await service.run('IssueApiKey', { environment_id, label: 'load' });
    const load = new Load(service, Number(environment_id), String(key));
    load.acknowledged.merchants.push(String(tenant_id));
    return load;
  }

  start(clients = 3): void {
    this.#round.isOver = true;
    const round = { isOver: false };
    this.#round = round;
    const repeat = async (work: () => Promise<void>): Promise<void> => {
      this.#clients += 1;
      try {
        while (!round.isOver) await work();
      } catch (error) {
        // The next wait reports the failure.
        this.#failures.push(error instanceof Error ? error : new Error(String(error)));
      }
      this.#clients -= 1;
    };
    for (let n = 0; n < clients; n += 1) void repeat(async () => await this.#importAndClaim());
    void repeat(async () => await this.#registerMerchant());
  }

  /**
   * Stops the clients and waits until every started request is answered. A request that times out here continues, and
   * the next `end` waits for it again.
   * @throws {Error} with the last responses of pending requests on timeout
   */
  async end(): Promise<void> {
    this.#round.isOver = true;
    await waitUntil(
      () => this.#clients === 0,
      () => `pending requests: ${this.#describePending()}`,
    );
    this.#throwFailure();
  }

  /** Waits until `more` additional claims are acknowledged. @throws {Error} when a request is refused, or on timeout */
  async waitForClaims(more: number): Promise<void> {
    const { claims } = this.acknowledged;
    const wanted = claims.length + more;
    await waitUntil(
      () => {
        this.#throwFailure();
        return claims.length >= wanted;
      },
      () => `${claims.length} of ${wanted} claims are acknowledged: ${this.#describePending()}`,
    );
  }

  #describePending(): string {
    return [...this.#pending].map(({ path, lastResponse }) => `${path}: ${lastResponse}`).join('\n');
  }

  #throwFailure(): void {
    const [failure] = this.#failures.splice(0);
    if (failure !== undefined) throw failure;
  }

  async #importAndClaim(): Promise<void> {
    const row = { ...termRow(`LOAD-${randomUUID().slice(0, 13)}`), environment_id: this.#environmentId };
    const imported = await this.#sendUntilAnswered(
      '/api/v1/admin/commands/ImportPolicyTerm',
      row,
      this.#service.adminKey,
    );
    const policyId = String((imported['result'] as Record<string, unknown>)['policy_id']);
    this.acknowledged.policies.push(policyId);
    const details = { claim_type: 'Collision', incident_date: '2026-02-01', claim_amount: '1200.50' };
    const filed = await this.#sendUntilAnswered(
      '/api/v1/claims',
      { policy_id: policyId, claim_details: details },
      this.#key,
    );
    this.acknowledged.claims.push(String(filed['claim_id']));
    await pause(PAUSE_MS);
  }

  async #registerMerchant(): Promise<void> {
    const body = { name: 'Mailed Bank', business_email: 'office@mailed.example' };
    const { result } = await this.#sendUntilAnswered(
      '/api/v1/admin/commands/RegisterMerchant',
      body,
      this.#service.adminKey,
    );
    this.acknowledged.merchants.push(String((result as Record<string, unknown>)['tenant_id']));
    await pause(3 * PAUSE_MS);
  }

  async #sendUntilAnswered(path: string, body: object, key: string): Promise<Record<string, unknown>> {
    const headers = { 'content-type': 'application/json', 'x-api-key': key, 'idempotency-key': randomUUID() };
    const pending: Pending = { path, lastResponse: 'no response yet' };
    this.#pending.add(pending);
    try {
      for (;;) {
        const response = await this.#request(path, { method: 'POST', headers, body: JSON.stringify(body) });
        if (response.status !== undefined && response.status < 300)
          return JSON.parse(response.text) as Record<string, unknown>;
        pending.lastResponse = `${response.status ?? 'no response'} ${response.text}`;
        if (response.status !== undefined && response.status < 500) throw new Error(`${path}: ${pending.lastResponse}`);
        // The suites never kill the api: when it has exited, no response will follow.
        const { isRunning, stderr } = this.#service.process;
        if (!isRunning) throw new Error(`The api has exited:\n${stderr.slice(-2_000)}`);
        this.unavailable += 1;
        await pause(200);
      }
    } finally {
      this.#pending.delete(pending);
    }
  }

  /** Sends a request; without a response, returns the error as text and no status. */
  async #request(path: string, init: RequestInit): Promise<{ readonly status?: number; readonly text: string }> {
    try {
      const response = await this.#service.request(path, { ...init, signal: AbortSignal.timeout(30_000) });
      return { status: response.status, text: await response.text() };
    } catch (error) {
      return { text: String(error) };
    }
  }
}
