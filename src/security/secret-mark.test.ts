import { expect, test } from '@jest/globals';
import { MemoryRecords } from '../../test/support/memory-records.ts';
import { changeSecret, keepToSecret, markOf, OtherSecret, refuseOtherSecret, SECRET_MARK } from './secret-mark.ts';

const ONE = 'one secret of thirty-two characters';
const TWO = 'two secret of thirty-two characters';

test('given stores that know no secret, then the first is marked and taken again, and another is refused', async () => {
  const records = new MemoryRecords();
  await keepToSecret(records, ONE);
  await keepToSecret(records, ONE);
  expect(await records.getValue(SECRET_MARK)).toBe(markOf(ONE));
  await expect(keepToSecret(records, TWO)).rejects.toThrow(OtherSecret);
});

test('given several first starts at once, each with a secret of its own, then one of them is taken', async () => {
  const records = new MemoryRecords();
  const secrets = Array.from({ length: 5 }, (_, number) => `${ONE} ${number}`);
  const ends = await Promise.allSettled(secrets.map(async (secret) => await keepToSecret(records, secret)));
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const winner = secrets[ends.findIndex(({ status }) => status === 'fulfilled')] ?? '';
  expect(await records.getValue(SECRET_MARK)).toBe(markOf(winner));
});

test('given a start that was killed between winning and marking, then its secret is the one', async () => {
  const records = new MemoryRecords();
  const dying = new Proxy(records, {
    get: (object, name) => {
      const member: unknown = Reflect.get(object, name, object);
      if (name === 'setValue') return async () => await Promise.reject(new Error('killed'));
      return typeof member === 'function' ? (member.bind(object) as unknown) : member;
    },
  });
  await expect(keepToSecret(dying, ONE)).rejects.toThrow('killed');
  await expect(keepToSecret(records, TWO)).rejects.toThrow(OtherSecret);
  await keepToSecret(records, ONE);
});

test('given it is changed on purpose, then the new one is taken and the old one refused', async () => {
  const records = new MemoryRecords();
  await keepToSecret(records, ONE);
  await changeSecret(records, TWO);
  await keepToSecret(records, TWO);
  await expect(keepToSecret(records, ONE)).rejects.toThrow(OtherSecret);
});

test('given it is only asked, then no secret is no fault before there is a mark, and nothing is written', async () => {
  const records = new MemoryRecords();
  for (const secret of [ONE, undefined]) await refuseOtherSecret(records, secret);
  await keepToSecret(records, TWO);
  for (const secret of [ONE, undefined]) await expect(refuseOtherSecret(records, secret)).rejects.toThrow(OtherSecret);
  await refuseOtherSecret(records, TWO);
});

test('given the mark, then it is neither the secret nor a token made with it', () => {
  expect(markOf(ONE)).toMatch(/^[0-9a-f]{32}$/);
  expect(markOf(ONE)).not.toBe(markOf(TWO));
  expect(Buffer.from(markOf(ONE), 'hex').toString()).not.toContain('secret');
});
