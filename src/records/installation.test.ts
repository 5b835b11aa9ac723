import { expect, test } from '@jest/globals';
import { MemoryRecords } from '../../test/support/memory-records.ts';
import { INSTALLATION, readInstallation, updateInstallation } from './installation.ts';

test('given several processes that decide a field at once, then all of them get the value of one', async () => {
  const records = new MemoryRecords();
  const decide = async (secret: string) =>
    (await updateInstallation(records, (current) => ({ ...current, secret: current.secret ?? secret }))).secret;
  const secrets = await Promise.all(['a', 'b', 'c'].map(decide));
  expect(new Set(secrets).size).toBe(1);
  expect(await readInstallation(records)).toEqual({ secret: secrets[0], relayStart: {} });
});

test('given processes that change different fields at once, then no change is lost', async () => {
  const records = new MemoryRecords();
  const names = ['one', 'two', 'three'];
  await Promise.all(
    names.map(async (name) => {
      await updateInstallation(records, (now) => ({ ...now, relayStart: { ...now.relayStart, [name]: '' } }));
    }),
  );
  expect(Object.keys((await readInstallation(records)).relayStart).toSorted()).toEqual(names.toSorted());
});

test('given a change that is refused, or changes nothing, then nothing is written', async () => {
  const records = new MemoryRecords();
  const refusing = updateInstallation(records, () => {
    throw new Error('not so');
  });
  await expect(refusing).rejects.toThrow('not so');
  expect(await records.getValue(INSTALLATION)).toBeUndefined();
  await updateInstallation(records, (current) => ({ ...current, log: 'server' }));
  const once = new Proxy(records, {
    get: (object, name) => {
      if (name === 'replaceValue') throw new Error('It writes again');
      return (Reflect.get(object, name, object) as () => unknown).bind(object);
    },
  });
  await updateInstallation(once, (current) => ({ ...current, log: 'server' }));
});

test('given the values of the version before, then the document is made from them once', async () => {
  const records = new MemoryRecords();
  await records.setValue('stores-mark', JSON.stringify({ log: 'server', jobs: 'embedded' }));
  await records.setValue('secret-mark', 'hash of old');
  await records.setValue('topics-mark', JSON.stringify({ 'surety.policies.v1': 3 }));
  const known = { log: 'server', messaging: 'embedded', secret: 'hash of old', relayStart: {} };
  expect(await readInstallation(records)).toEqual(known);
  expect(await records.getValue(INSTALLATION)).toBeUndefined();
  await updateInstallation(records, (current) => current);
  await records.setValue('stores-mark', JSON.stringify({ log: 'embedded', jobs: 'embedded' }));
  await records.setValue('secret-mark', 'another');
  expect(await readInstallation(records)).toEqual(known);
});

test('given a field of a newer version, then a change keeps it', async () => {
  const records = new MemoryRecords();
  await records.setValue(INSTALLATION, JSON.stringify({ log: 'server', relayStart: {}, region: 'north' }));
  await updateInstallation(records, (current) => ({ ...current, secret: 'hash' }));
  expect(JSON.parse((await records.getValue(INSTALLATION)) ?? '')).toMatchObject({ region: 'north', secret: 'hash' });
});

test.each(['{', '{"log":"moon"}'])('given %s in its place, then the value is named', async (text) => {
  const records = new MemoryRecords();
  await records.setValue(INSTALLATION, text);
  await expect(readInstallation(records)).rejects.toThrow('The value installation in the records cannot be read');
});
