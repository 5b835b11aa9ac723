import { expect, test } from '@jest/globals';
import { openTemporaryRecords } from '#stores/records/sqlite/sqlite-records.ts';
import {
  createInstallation,
  FormatMismatch,
  INSTALLATION,
  readInstallation,
  updateInstallation,
} from './installation.ts';

test('gives the same value to all processes that set a field concurrently', async () => {
  const records = openTemporaryRecords();
  const setSecret = async (secret: string) =>
    (await updateInstallation(records, (current) => ({ ...current, secret: current.secret ?? secret }))).secret;
  const secrets = await Promise.all(['a', 'b', 'c'].map(setSecret));
  expect(new Set(secrets).size).toBe(1);
  expect(await readInstallation(records)).toEqual({ format: 1, secret: secrets[0], relayStart: {} });
});

test('keeps all concurrent changes of different fields', async () => {
  const records = openTemporaryRecords();
  const names = ['one', 'two', 'three'];
  await Promise.all(
    names.map(async (name) => {
      await updateInstallation(records, (now) => ({ ...now, relayStart: { ...now.relayStart, [name]: '' } }));
    }),
  );
  expect(Object.keys((await readInstallation(records)).relayStart).toSorted()).toEqual(names.toSorted());
});

test('writes nothing when a change throws or changes nothing', async () => {
  const records = openTemporaryRecords();
  const failing = updateInstallation(records, () => {
    throw new Error('no change');
  });
  await expect(failing).rejects.toThrow('no change');
  expect(await records.getValue(INSTALLATION)).toBeUndefined();
  await updateInstallation(records, (current) => ({ ...current, secret: 'hash' }));
  const readOnly = new Proxy(records, {
    get: (object, name) => {
      if (name === 'replaceValue') throw new Error('It writes again');
      return (Reflect.get(object, name, object) as () => unknown).bind(object);
    },
  });
  await updateInstallation(readOnly, (current) => ({ ...current, secret: 'hash' }));
});

test('a folder gets its document before its first event', async () => {
  const records = openTemporaryRecords();
  const logAt = (position: bigint | undefined) => ({ lastPosition: async () => await Promise.resolve(position) });
  await expect(createInstallation(records, logAt(7n))).rejects.toThrow(FormatMismatch);
  await createInstallation(records, logAt(undefined));
  await createInstallation(records, logAt(7n));
  expect(JSON.parse((await records.getValue(INSTALLATION)) ?? '')).toEqual({ format: 1, relayStart: {} });
});

test.each(['{"relayStart":{}}', '{"format":2,"relayStart":{}}'])(
  'refuses a document of another format (%s)',
  async (text) => {
    const records = openTemporaryRecords();
    await records.setValue(INSTALLATION, text);
    await expect(readInstallation(records)).rejects.toThrow(FormatMismatch);
  },
);

test.each(['{', '{"format":1,"secret":7}'])('reports an invalid document (%s)', async (text) => {
  const records = openTemporaryRecords();
  await records.setValue(INSTALLATION, text);
  await expect(readInstallation(records)).rejects.toThrow('The value installation in the records cannot be read');
});
