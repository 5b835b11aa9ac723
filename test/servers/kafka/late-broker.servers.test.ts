import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { withAdmin } from '#stores/messaging/kafka/admin.ts';
import { PUBLIC_TOPICS } from '#public-events/topics.ts';
import { cleanUp, startService, type SuretyProcess, temporaryFolder } from '../../support/service-process.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { Broker } from '../support/broker.ts';
import { describeOwnServers } from '../support/own-servers.ts';
import { readTopic } from '../support/topic.ts';

describeOwnServers(['KAFKA_BROKERS'], 'A service that starts for the first time before its broker', () => {
  const base = temporaryFolder();
  const processes: SuretyProcess[] = [];
  let broker: Broker;
  beforeAll(async () => {
    broker = await Broker.start();
    await broker.kill();
  });
  afterAll(async () => {
    await cleanUp(base, processes);
    await broker?.dispose();
  });

  test('creates the topics once the broker answers, and sends every public event', async () => {
    const settings = { KAFKA_BROKERS: broker.options.brokers.join(), SURETY_SAMPLE: 'on' };
    const service = await startService({ folder: join(base, 'data'), settings });
    processes.push(service.process);
    await broker.start();
    await waitUntil(
      async () => {
        const response = await service.request('/readyz');
        const { checks } = (await response.json()) as { checks: readonly { name: string; severity?: string }[] };
        expect(response.status).toBe(200);
        const ofKafka = ['kafka', 'public_topics', 'public_events', 'mail_relay', 'mailer'];
        return checks.every(({ name, severity }) => severity === undefined || !ofKafka.includes(name));
      },
      () => service.process.stderr,
    );
    await waitUntil(async () => /^surety_public_events_lag 0$/m.test(await (await service.request('/metrics')).text()));
    const topics = await withAdmin(broker.options, async (admin) => await admin.listTopics());
    expect(topics).toEqual(expect.arrayContaining([...PUBLIC_TOPICS]));
    expect((await readTopic(broker.options, 'surety.policies.v1')).length).toBeGreaterThan(0);
  });
});
