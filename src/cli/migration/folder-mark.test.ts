import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { temporaryFolder } from '#test/ports/support/temporary-folder.ts';
import { markMigrated, refuseMigrated } from './folder-mark.ts';

let place: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  place = temporaryFolder();
});
afterEach(() => place.remove());

const AT = '2026-11-21T16:46:00.000Z';
const SERVERS = {
  EVENTSTORE_URL: 'esdb://surety:hidden/1?@events.example:2113,other.example:2113?tls=true&userKeyFile=hidden',
  MONGODB_URL: 'mongodb://surety:hidden%40@a.example:27017,b.example/book?replicaSet=rs0&tlsKeyPassword=hidden',
  KAFKA_BROKERS: 'k1.example:9092,[::1]:9093',
};

describe('the mark of a migrated folder', () => {
  test('does not refuse a folder without a mark', () => {
    expect(() => refuseMigrated(place.folder)).not.toThrow();
  });

  test('refuses the folder until it is deleted, and may be written again', () => {
    markMigrated(place.folder, AT, SERVERS);
    markMigrated(place.folder, AT, SERVERS);
    const file = join(place.folder, 'MIGRATED');
    expect(() => refuseMigrated(place.folder)).toThrow(
      `The data in the folder ${place.folder} was moved to servers, and changes made here would not reach them. ` +
        `${file} has the time and the addresses. Use the servers; or, if the servers have executed no command yet, ` +
        'stop the services there and delete that file to use the folder again.',
    );
    rmSync(file);
    expect(() => refuseMigrated(place.folder)).not.toThrow();
  });

  test('has time, addresses without credentials and instructions, and is readable only by its owner', () => {
    markMigrated(place.folder, AT, SERVERS);
    const file = join(place.folder, 'MIGRATED');
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(AT);
    expect(text).toMatch(/EVENTSTORE_URL +esdb:\/\/events\.example:2113,other\.example:2113\n/);
    expect(text).toMatch(/MONGODB_URL +mongodb:\/\/a\.example:27017,b\.example\/book\n/);
    expect(text).toMatch(/KAFKA_BROKERS +k1\.example:9092,\[::1\]:9093\n/);
    expect(text).toContain('the two would diverge');
    expect(text).toMatch(/^Only if the servers have executed no command yet: .*delete this file/m);
    expect(text).not.toMatch(/hidden|surety:/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('omits an address of unknown form', () => {
    markMigrated(place.folder, AT, { MONGODB_URL: 'mongodb://me:hidden@host:27017/?appName=me@hidden' });
    expect(readFileSync(join(place.folder, 'MIGRATED'), 'utf8')).not.toContain('hidden');
  });
});
