import { toPlainObject } from '#test/support/plain-object.ts';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { CommandHarness } from '#test/support/command-harness.ts';
import { givenMerchants, policyRow } from '#test/support/imports.ts';
import { type PlatformCommands, platformCommands } from '../platform-commands.ts';
import { categoryOf } from '#event-sourcing/aggregate.ts';
import { withCachedReferences } from './cached-references.ts';

let harness: CommandHarness;
let commands: PlatformCommands;

beforeEach(async () => {
  harness = new CommandHarness();
  await givenMerchants(harness);
  commands = platformCommands(
    withCachedReferences({ ...harness.ports, eventStore: toPlainObject(harness.eventStore) }),
    'import',
  );
});

const importRow = async (number: string, customer: string): Promise<void> => {
  const row = { policy_number: number, customer_email: `${customer}@customers.example`, customer_reference: customer };
  await commands.run('ImportPolicyTerm', { ...policyRow(row), environment_id: 1 });
};

test('rows after the first one read neither environment, merchant, provider, product nor their names', async () => {
  await importRow('POL-1', 'ada');
  await importRow('POL-2', 'bola');
  const read = jest.spyOn(harness.eventStore, 'readStream');
  await importRow('POL-3', 'chi');
  const categories = read.mock.calls.map(([stream]) => categoryOf(stream));
  expect(new Set(categories)).toEqual(new Set(['policy', 'policyNumber', 'customerIdentity', 'customerReference']));
});

test('a provider that the import registers is the provider of the next row', async () => {
  await importRow('POL-1', 'ada');
  await importRow('POL-2', 'bola');
  const policies = (await harness.log()).filter(({ type }) => type === 'PolicyImported');
  const providers = policies.map(({ data }) => (data as { provider: { id: string } }).provider.id);
  expect(providers).toHaveLength(2);
  expect(new Set(providers).size).toBe(1);
});
