import { expect, test } from '@jest/globals';
import { openMongoReadModels } from '#stores/read-models/mongodb/mongo-read-models.ts';
import { policies, policy } from '../ports/read-models/subject.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { describeOnMongodb, testDatabase } from './support/mongodb.ts';
import { takeOverServed, writeDocuments } from '../support/write-documents.ts';

/** The projector's batch size; the adapter writes 500 documents per request. */
const DOCUMENTS = 5_000;
/** Delay of each response: every request stays within its limit, but all requests together exceed it. */
const DELAY_MS = 3_200;
const LIMIT_MS = 30_000;

describeOnMongodb('A slow MongoDB', (server) => {
  test('a write of many documents may take longer than the limit of one request', async () => {
    const { url, drop } = testDatabase(server);
    const proxied = new URL(url);
    const proxy = await TcpProxy.start(Number(proxied.port || '27017'), { host: proxied.hostname });
    proxied.host = `127.0.0.1:${proxy.port}`;
    proxied.searchParams.set('connectTimeoutMS', '20000');
    proxied.searchParams.set('serverSelectionTimeoutMS', '20000');
    // Past the proxy the driver would connect to the members of a replica set.
    proxied.searchParams.delete('replicaSet');
    proxied.searchParams.set('directConnection', 'true');
    const readModels = openMongoReadModels({ url: proxied.href, definitions: [policies] });
    try {
      const generation = await takeOverServed(readModels);
      const documents = Array.from({ length: DOCUMENTS }, (_, number) => policy(`p-${number}`));
      proxy.delay = DELAY_MS;
      const start = performance.now();
      await writeDocuments(generation, 'policies', documents, 1n);
      expect(performance.now() - start).toBeGreaterThan(LIMIT_MS);
      proxy.delay = 0;
      expect((await readModels.checkpoint())?.position).toBe(1n);
    } finally {
      await readModels.close();
      await proxy.stop();
      await drop();
    }
  });
});
