import { expect, test } from '@jest/globals';
import { openMongoReadModels } from '../../../src/read-models/mongodb/mongo-read-models.ts';
import { policies, policy } from '../../ports/read-models/subject.ts';
import { TcpProxy } from '../../support/tcp-proxy.ts';
import { describeOnMongodb, testDatabase } from '../support/mongodb.ts';

/** As many as the projector writes at once, in requests of 500. */
const DOCUMENTS = 5_000;
/** An answer is late by so much: each request stays within its limit, and all together take longer than one of them may. */
const DELAY_MS = 3_200;
const LIMIT_MS = 30_000;

describeOnMongodb('a server that is slow', (server) => {
  test('given many documents at once, then it is waited for as long as it makes progress', async () => {
    const { url, drop } = testDatabase(server);
    const { host, pathname } = new URL(url);
    const proxy = await TcpProxy.start(Number(host.split(':')[1]));
    const patient = 'connectTimeoutMS=20000&serverSelectionTimeoutMS=20000';
    const readModels = openMongoReadModels({ url: `mongodb://127.0.0.1:${proxy.port}${pathname}?${patient}` });
    try {
      await readModels.open([policies]);
      const documents = Array.from({ length: DOCUMENTS }, (_, number) => policy(`p-${number}`));
      proxy.delay = DELAY_MS;
      const begun = performance.now();
      await readModels.write('policies', documents, 1n);
      expect(performance.now() - begun).toBeGreaterThan(LIMIT_MS);
      proxy.delay = 0;
      expect(await readModels.checkpoint('policies')).toBe(1n);
    } finally {
      await readModels.close();
      await proxy.stop();
      await drop();
    }
  });
});
