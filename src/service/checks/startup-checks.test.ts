import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { describe, expect, test } from '@jest/globals';
import { MemoryRecords } from '#test/support/memory-records.ts';
import { readSettings } from '../config/config.ts';
import { updateInstallation } from '#stores/records/installation.ts';
import { requireLogOfRecords } from './startup-checks.ts';

describe('a log in a folder, with records in MongoDB', () => {
  const dataFolder = join(tmpdir(), 'no such folder');
  const settings = readSettings({ SURETY_DATA: dataFolder, MONGODB_URL: 'mongodb://127.0.0.1:1/surety' });

  test('is required once there is an installation, unless the stores are changed', async () => {
    const records = new MemoryRecords();
    await requireLogOfRecords(settings, records, {});
    await updateInstallation(records, (installation) => installation);
    await expect(requireLogOfRecords(settings, records, {})).rejects.toThrow(
      `${join(dataFolder, 'events.db')} is missing, although there is an installation in MongoDB`,
    );
    await requireLogOfRecords(settings, records, { changes: ['stores'] });
  });
});
