import { importTerm, type MerchantWorld, termRow } from './api-scene.ts';
import type { ApiAnswer, ApiService } from './api-service.ts';

const DAY_MS = 86_400_000;

/** Posts as a merchant. @throws {Error} when it is not carried out */
export async function post(
  service: ApiService,
  key: string,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<ApiAnswer> {
  const answer = await service.send('POST', `/api/v1/${path}`, { key, body, headers });
  if (answer.status > 201) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer;
}

export interface PolicyWithPast {
  readonly id: string;
  /** What was served after each of the three events. */
  readonly views: readonly string[];
}

/** A policy that is taken over at 10:00 of a day in 2026, renewed a day later and cancelled the day after; moves the clock. */
export async function policyWithPast(
  service: ApiService,
  { environmentId, key }: MerchantWorld,
  number: string,
  day: string,
): Promise<PolicyWithPast> {
  const views: string[] = [];
  let id = '';
  const acts = [
    async () => ({ policy_id: id } = await importTerm(service, environmentId, termRow(number))),
    async () => {
      const renewal = { policy_id: id, preferred_policy_start_date: '2027-01-01', policy_duration: 30 };
      await post(service, key, 'policies/renew', renewal, { 'X-Request-Id': 'renewed-by-test' });
    },
    async () => await post(service, key, 'policies/cancel', { policy_id: id, cancellation_reason: 'Sold the car' }),
  ];
  for (const [days, act] of acts.entries()) {
    service.clock.now = new Date(Date.parse(`${day}T10:00:00.000Z`) + days * DAY_MS).toISOString();
    await act();
    views.push((await service.send('GET', `/api/v1/policies/${id}`, { key })).text);
  }
  return { id, views };
}
