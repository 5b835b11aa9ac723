import { describe, expect, test } from '@jest/globals';
import type { Operation } from '#http/reference/openapi/operations.ts';
import { rolesOf } from '#http/reference/openapi/operations.ts';
import { runsCommand } from '#http/server/route.ts';
import { ROLES, type Role } from '#domain/values/rights.ts';
import type { ApiResponse } from '../support/api-service.ts';
import { createMerchant } from '../support/merchant-fixture.ts';
import { documentedOperations } from '../support/reference-examples.ts';
import { startSuiteService } from '../support/suite-service.ts';

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme');
const issue = async (input: object): Promise<string> =>
  String((await service.admin('IssueApiKey', { label: 'x', ...input })).api_key);
const { provider_id } = await service.admin('RegisterProvider', {
  name: 'Other Insurer',
  support_email: 'a@b.example',
  support_phone: '1',
});

async function keysWith(more: object): Promise<Readonly<Record<Role, string>>> {
  return {
    merchant: await issue({ environment_id: acme.live.environmentId, ...more }),
    insurer: await issue({ role: 'insurer', provider_id, ...more }),
    claims: await issue({ role: 'claims', ...more }),
    admin: await issue({ role: 'admin', ...more }),
    auditor: await issue({ role: 'auditor', ...more }),
  };
}
const [keys, readKeys] = [await keysWith({}), await keysWith({ access: 'read' })];

const operations = [...documentedOperations(service).values()].filter((one) => rolesOf(one) !== undefined);

/** Sends a request that names nothing and has an unknown parameter, so that it is refused after the role is checked. */
async function send({ route, path }: Operation, key: string): Promise<ApiResponse> {
  const url = `${path.replace(/\{\w+\}/g, 'unknown')}?surely_unknown=1`;
  return await service.send(route.method, url, { key, ...(route.reference.body && { body: { surely_unknown: 1 } }) });
}

describe('The roles of every operation', () => {
  test.each(operations.map((operation) => [operation.id, operation] as const))('%s', async (_id, operation) => {
    const allowed: Role[] = [];
    for (const role of ROLES) {
      const [response, reading] = [await send(operation, keys[role]), await send(operation, readKeys[role])];
      if (response.status !== 403) allowed.push(role);
      else expect(['forbidden', 'merchant_key_required']).toContain(response.json.code);
      const mayRead = response.status !== 403 && (!runsCommand(operation.route) || operation.command?.isOwn === true);
      expect([role, reading.status === 403]).toEqual([role, !mayRead]);
    }
    expect(allowed).toEqual(ROLES.filter((role) => rolesOf(operation)?.includes(role)));
  });

  test('record nothing where they are refused', async () => {
    const before = (await service.log()).length;
    for (const operation of operations) for (const role of ROLES) await send(operation, keys[role]);
    expect(await service.log()).toHaveLength(before);
  });

  test('are shown by the OpenAPI document', async () => {
    const { json } = await service.send('GET', '/openapi.json');
    for (const operation of operations)
      expect(json.paths[operation.path][operation.route.method.toLowerCase()]['x-roles']).toEqual(rolesOf(operation));
  });
});

test('A key that may only read previews what it may not do', async () => {
  const body = { policy_id: acme.live.policyId, cancellation_reason: 'x' };
  const cancel = async (search: string): Promise<number> =>
    (await service.send('POST', `/api/v1/policies/cancel${search}`, { key: readKeys.merchant, body })).status;
  expect([await cancel('?preview=true'), await cancel('?preview=false'), await cancel('')]).toEqual([200, 403, 403]);
  expect(await cancel('?preview=true&preview=false')).not.toBe(200);
});

test('The list of commands is that of the role', async () => {
  const names = async (role: Role): Promise<readonly string[]> =>
    (await service.send('GET', '/api/v1/admin/commands', { key: keys[role] })).json.commands.map(
      ({ name }: { readonly name: string }) => name,
    );
  expect(await names('claims')).toContain('ApproveClaim');
  for (const role of ['claims', 'insurer'] as const) expect(await names(role)).not.toContain('CancelPolicy');
  expect(await names('auditor')).toEqual(await names('admin'));
});
