import { beforeEach, describe, expect, test } from '@jest/globals';
import { personStream } from '#domain/person/person.ts';
import { setUpMerchant, setUpProvider } from '#test/support/admin-fixtures.ts';
import { CommandHarness, invalidFields } from '#test/support/command-harness.ts';
import { addPerson } from './add-person.ts';
import { removePerson, updatePerson } from './change-person.ts';

let h: CommandHarness;
beforeEach(() => {
  h = new CommandHarness();
});

const ADA = { name: 'Ada Obi', email: 'Ada@surety.example', role: 'claims' };
const add = async (changes: object = {}): Promise<string> =>
  String((await h.run(addPerson, { ...ADA, ...changes })).result.person_id);

describe('AddPerson', () => {
  test('records the person with rights, and the address in no stream name and in no metadata', async () => {
    const { shortCode, tenantId } = await setUpMerchant(h);
    const id = await add({ role: 'merchant', short_code: shortCode, access: 'read' });
    expect(await h.data(personStream(id), 0)).toMatchObject({
      personId: id,
      name: 'Ada Obi',
      email: 'Ada@surety.example',
      role: 'merchant',
      merchant: { merchantId: tenantId, shortCode },
      providerId: null,
      authority: null,
      access: 'read',
    });
    for (const { stream, metadata, type, data } of await h.log()) {
      expect(`${stream}${JSON.stringify(metadata)}`.toLowerCase()).not.toContain('ada');
      if (type === 'ValueReserved') expect((data as { value: string }).value).not.toContain('@');
    }
  });

  test('keeps an e-mail address to one person until it is removed', async () => {
    const first = await add();
    for (const email of ['ada@surety.example', 'ADA@SURETY.example'])
      expect((await h.expectRefusal(addPerson, { ...ADA, email })).code).toBe('person_already_added');
    await h.run(removePerson, { person_id: first, reason: 'Left' });
    expect(await add()).not.toBe(first);
    expect((await h.expectRefusal(addPerson, ADA)).code).toBe('person_already_added');
  });

  test('adds one of several concurrent persons with one address', async () => {
    const ends = await Promise.allSettled([add(), add(), add({ email: 'ADA@surety.example' })]);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect((await h.log()).filter(({ type }) => type === 'PersonAdded')).toHaveLength(1);
  });

  test('takes only the merchant, the insurer or the authority that the role needs', async () => {
    const { shortCode } = await setUpMerchant(h);
    const provider_id = await setUpProvider(h);
    const authority = { currency: 'NGN', approve_up_to: '1' };
    for (const [changes, field] of [
      [{ role: 'merchant' }, 'short_code'],
      [{ role: 'insurer' }, 'provider_id'],
      [{ role: 'claims', short_code: shortCode }, 'short_code'],
      [{ role: 'admin', provider_id }, 'provider_id'],
      [{ role: 'auditor', authority }, 'authority'],
    ] as const)
      expect(invalidFields(await h.expectRefusal(addPerson, { ...ADA, ...changes }))).toEqual([field]);
    const id = await add({ role: 'insurer', provider_id, authority });
    expect(await h.data(personStream(id), 0)).toMatchObject({
      providerId: provider_id,
      authority: { currency: 'NGN', approveUpTo: '1.00', payUpTo: null, reserveUpTo: null },
    });
  });
});

describe('UpdatePerson', () => {
  test('ends the insurer and takes the merchant with a new role', async () => {
    const { shortCode, tenantId } = await setUpMerchant(h);
    const id = await add({ role: 'insurer', provider_id: await setUpProvider(h) });
    expect(invalidFields(await h.expectRefusal(updatePerson, { person_id: id, role: 'merchant' }))).toEqual([
      'short_code',
    ]);
    await h.run(updatePerson, { person_id: id, role: 'merchant', short_code: shortCode });
    const { changes } = (await h.data(personStream(id), 1)) as { readonly changes: object };
    expect(changes).toEqual({ role: 'merchant', merchant: { merchantId: tenantId, shortCode }, providerId: null });
  });

  test('ends the authority with a role that takes none, and keeps it with another one', async () => {
    const authority = { currency: 'NGN', approve_up_to: '1' };
    const id = await add({ authority });
    await h.run(updatePerson, { person_id: id, role: 'insurer', provider_id: await setUpProvider(h) });
    const input = { person_id: id, role: 'auditor' };
    expect(invalidFields(await h.expectRefusal(updatePerson, { ...input, authority }))).toEqual(['authority']);
    await h.run(updatePerson, input);
    const changesAt = async (revision: number) => (await h.data(personStream(id), revision)) as { changes: object };
    expect((await changesAt(1)).changes).not.toHaveProperty('authority');
    expect((await changesAt(2)).changes).toEqual({ role: 'auditor', providerId: null, authority: null });
  });

  test('changes no removed person', async () => {
    const id = await add();
    await h.run(removePerson, { person_id: id, reason: 'Left' });
    for (const [command, input] of [
      [updatePerson, { name: 'Eve' }],
      [removePerson, { reason: 'Left again' }],
    ] as const)
      expect((await h.expectRefusal(command, { person_id: id, ...input })).code).toBe('person_removed');
  });
});
