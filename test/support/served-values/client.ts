import { ADMIN_KEY, type ApiResponse, type ApiService } from '../api-service.ts';
import { termRow } from '../merchant-fixture.ts';

type Json = ApiResponse['json'];

/** Of the environment in which the scenario acts: its days do not begin with those of UTC. */
export const TIME_ZONE = 'Africa/Lagos';

/** A merchant and the back office, each of whose requests must succeed. */
export class Client {
  readonly #service: ApiService;
  readonly key: string;
  readonly environmentId: number;
  #policies = 0;

  constructor(service: ApiService, key: string, environmentId: number) {
    this.#service = service;
    this.key = key;
    this.environmentId = environmentId;
  }

  /** Sends a request of the merchant and returns the body. */
  async merchant(method: string, path: string, body?: object): Promise<Json> {
    return succeeded(path, await this.#service.send(method, `/api/v1/${path}`, { key: this.key, body })).json;
  }

  /** Runs a command of the back office and returns its result. */
  async admin(command: string, body: object): Promise<Json> {
    const response = await this.#service.send('POST', `/api/v1/admin/commands/${command}`, { key: ADMIN_KEY, body });
    return succeeded(command, response).json.result;
  }

  /** Runs a command in the environment of the merchant. */
  async adminIn(command: string, body: object): Promise<Json> {
    return await this.admin(command, { ...body, environment_id: this.environmentId });
  }

  /** Imports a policy of one customer and returns its view. */
  async importPolicy(): Promise<Json> {
    this.#policies += 1;
    const customer = { customer_reference: 'served', customer_email: 'served@customers.example' };
    const { policy_id } = await this.adminIn('ImportPolicyTerm', {
      ...termRow(`SERVED-${this.#policies}`),
      ...customer,
    });
    return await this.merchant('GET', `policies/${policy_id}`);
  }
}

function succeeded(what: string, response: ApiResponse): ApiResponse {
  if (response.status >= 300) throw new Error(`${what}: ${response.status} ${response.text}`);
  return response;
}
