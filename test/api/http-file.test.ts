import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { addDays } from '#domain/values/dates.ts';
import { dayOf } from '#event-sourcing/time.ts';
import { verificationTokens } from '#service/security/verification-token.ts';
import { ADMIN_KEY, SECRET } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';
import { fillVariables, parseHttpFile } from '../support/http-file.ts';

const service = await startSuiteService();

test('the requests of docs/surety.http give the stated responses in their order', async () => {
  const file = fileURLToPath(new URL('../../docs/surety.http', import.meta.url));
  const { variables, requests } = parseHttpFile(readFileSync(file, 'utf8'));
  const responses = new Map<string, unknown>();
  const initialVariables: Record<string, string> = { host: service.url, adminKey: ADMIN_KEY };
  const dayAfter = (later: number): string => addDays(dayOf(service.clock.now), later);
  const fill = (text: string): string =>
    fillVariables(text, { given: initialVariables, variables, responses, day: dayAfter });
  for (const { title, name, method, url, headers, body } of requests) {
    const response = await service.send(method, fill(url).slice(service.url.length), {
      headers: Object.fromEntries(Object.entries(headers).map(([header, value]) => [header, fill(value)])),
      ...(body === undefined ? {} : { raw: fill(body) }),
    });
    const expectedStatus = /Returns (\d{3})\.$/.exec(title)?.[1];
    expect([title, response.status, response.status < 300 ? '' : response.text]).toEqual([
      title,
      Number(expectedStatus),
      expectedStatus === '400' ? expect.stringContaining('policy_duration') : '',
    ]);
    if (name !== undefined) responses.set(name, response.json);
    // The token of the merchant's mail.
    if (name === 'registerMerchant')
      initialVariables['token'] = verificationTokens(SECRET)(response.json.result.tenant_id, 1);
  }
  const claim = await service.send('GET', `/api/v1/claims/${fill('{{claimId}}')}`, { key: ADMIN_KEY });
  expect(claim.json.claim_status).toBe('paid');
  expect(requests).toHaveLength(38);
});
