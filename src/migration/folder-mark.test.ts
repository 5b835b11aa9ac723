import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { temporaryFolder } from '../../test/ports/support/temporary-folder.ts';
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

describe('the mark of a folder that was moved', () => {
  test('given none, then the folder may be worked on', () => {
    expect(() => refuseMigrated(place.folder)).not.toThrow();
  });

  test('given it is set, then work is refused until it is deleted, and setting it again renews it', () => {
    markMigrated(place.folder, AT, SERVERS);
    markMigrated(place.folder, AT, SERVERS);
    const file = join(place.folder, 'MIGRATED');
    expect(() => refuseMigrated(place.folder)).toThrow(
      `The book in the folder ${place.folder} was moved to servers, and what is written here would not reach them: ` +
        `${file} says when and where; work there, or, as long as the servers have taken no command, stop the services there ` +
        'and delete that file to let the folder start again',
    );
    rmSync(file);
    expect(() => refuseMigrated(place.folder)).not.toThrow();
  });

  test('then it tells when, where to and what to do, without credentials, to its owner alone', () => {
    markMigrated(place.folder, AT, SERVERS);
    const file = join(place.folder, 'MIGRATED');
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(AT);
    expect(text).toMatch(/EVENTSTORE_URL +esdb:\/\/events\.example:2113,other\.example:2113\n/);
    expect(text).toMatch(/MONGODB_URL +mongodb:\/\/a\.example:27017,b\.example\/book\n/);
    expect(text).toMatch(/KAFKA_BROKERS +k1\.example:9092,\[::1\]:9093\n/);
    expect(text).toContain('what is written to both makes two books that differ');
    expect(text).toMatch(/^Only as long as the servers have taken no command: .*delete this file/m);
    expect(text).not.toMatch(/hidden|surety:/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('given an address of another form, then none of it is told', () => {
    markMigrated(place.folder, AT, { MONGODB_URL: 'mongodb://me:hidden@host:27017/?appName=me@hidden' });
    expect(readFileSync(join(place.folder, 'MIGRATED'), 'utf8')).not.toContain('hidden');
  });
});
