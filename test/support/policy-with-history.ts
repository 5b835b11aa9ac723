import { importTerm, type EnvironmentFixture, termRow } from './merchant-fixture.ts';
import type { ApiResponse, ApiService } from './api-service.ts';

const DAY_MS = 86_400_000;

/** Sends a POST request with the merchant's key. @throws {Error} when the status is above 201 */
export async function post(
  service: ApiService,
  key: string,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  const response = await service.send('POST', `/api/v1/${path}`, { key, body, headers });
  if (response.status > 201) throw new Error(`${path}: ${response.status} ${response.text}`);
  return response;
}

export interface PolicyWithHistory {
  readonly id: string;
  /** Body of `GET /policies/{id}` after each of the three events. */
  readonly bodies: readonly string[];
}

/** Imports a policy at 10:00 of the day, renews it one day later and cancels it two days later; moves the clock. */
export async function createPolicyWithHistory(
  service: ApiService,
  { environmentId, key }: EnvironmentFixture,
  number: string,
  day: string,
): Promise<PolicyWithHistory> {
  const bodies: string[] = [];
  let id = '';
  const commands = [
    async () => ({ policy_id: id } = await importTerm(service, environmentId, termRow(number))),
    async () => {
      const renewal = { policy_id: id, preferred_policy_start_date: '2027-01-01', policy_duration: 30 };
      await post(service, key, 'policies/renew', renewal, { 'X-Request-Id': 'renewed-by-test' });
    },
    async () => await post(service, key, 'policies/cancel', { policy_id: id, cancellation_reason: 'Sold the car' }),
  ];
  for (const [days, run] of commands.entries()) {
    service.clock.now = new Date(Date.parse(`${day}T10:00:00.000Z`) + days * DAY_MS).toISOString();
    await run();
    bodies.push((await service.send('GET', `/api/v1/policies/${id}`, { key })).text);
  }
  return { id, bodies };
}
