import { expect, test } from '@jest/globals';
import { MemoryRecords } from '../../test/support/memory-records.ts';
import { INSTALLATION, readInstallation, updateInstallation } from './installation.ts';

test('gives the same value to all processes that set a field concurrently', async () => {
  const records = new MemoryRecords();
  const setSecret = async (secret: string) =>
    (await updateInstallation(records, (current) => ({ ...current, secret: current.secret ?? secret }))).secret;
  const secrets = await Promise.all(['a', 'b', 'c'].map(setSecret));
  expect(new Set(secrets).size).toBe(1);
  expect(await readInstallation(records)).toEqual({ secret: secrets[0], relayStart: {} });
});

test('keeps all concurrent changes of different fields', async () => {
  const records = new MemoryRecords();
  const names = ['one', 'two', 'three'];
  await Promise.all(
    names.map(async (name) => {
      await updateInstallation(records, (now) => ({ ...now, relayStart: { ...now.relayStart, [name]: '' } }));
    }),
  );
  expect(Object.keys((await readInstallation(records)).relayStart).toSorted()).toEqual(names.toSorted());
});

test('writes nothing when a change throws or changes nothing', async () => {
  const records = new MemoryRecords();
  const failing = updateInstallation(records, () => {
    throw new Error('no change');
  });
  await expect(failing).rejects.toThrow('no change');
  expect(await records.getValue(INSTALLATION)).toBeUndefined();
  await updateInstallation(records, (current) => ({ ...current, log: 'server' }));
  const readOnly = new Proxy(records, {
    get: (object, name) => {
      if (name === 'replaceValue') throw new Error('It writes again');
      return (Reflect.get(object, name, object) as () => unknown).bind(object);
    },
  });
  await updateInstallation(readOnly, (current) => ({ ...current, log: 'server' }));
});

test('initialises the document from the values of older releases once', async () => {
  const records = new MemoryRecords();
  await records.setValue('stores-mark', JSON.stringify({ log: 'server', jobs: 'embedded' }));
  await records.setValue('secret-mark', 'hash of old');
  await records.setValue('topics-mark', JSON.stringify({ 'surety.policies.v1': 3 }));
  const initial = { log: 'server', messaging: 'embedded', secret: 'hash of old', relayStart: {} };
  expect(await readInstallation(records)).toEqual(initial);
  expect(await records.getValue(INSTALLATION)).toBeUndefined();
  await updateInstallation(records, (current) => current);
  await records.setValue('stores-mark', JSON.stringify({ log: 'embedded', jobs: 'embedded' }));
  await records.setValue('secret-mark', 'another');
  expect(await readInstallation(records)).toEqual(initial);
});

test('keeps fields of newer releases', async () => {
  const records = new MemoryRecords();
  await records.setValue(INSTALLATION, JSON.stringify({ log: 'server', relayStart: {}, region: 'north' }));
  await updateInstallation(records, (current) => ({ ...current, secret: 'hash' }));
  expect(JSON.parse((await records.getValue(INSTALLATION)) ?? '')).toMatchObject({ region: 'north', secret: 'hash' });
});

test.each(['{', '{"log":"moon"}'])('reports an invalid document (%s)', async (text) => {
  const records = new MemoryRecords();
  await records.setValue(INSTALLATION, text);
  await expect(readInstallation(records)).rejects.toThrow('The value installation in the records cannot be read');
});
