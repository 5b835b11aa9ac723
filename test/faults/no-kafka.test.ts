import { expect, test } from '@jest/globals';
import { freePorts } from '../support/free-port.ts';
import { waitUntil } from '../support/wait-until.ts';
import { useWorkspace } from '../support/workspace.ts';

const place = useWorkspace();

test('Without Kafka and a mail server, the first start and later ones serve, and /readyz warns', async () => {
  const [kafka = 0, smtp = 0] = await freePorts(2);
  const settings = {
    KAFKA_BROKERS: `127.0.0.1:${kafka}`,
    SMTP_URL: `smtp://127.0.0.1:${smtp}`,
    MAIL_FROM: 'no-reply@surety.example',
  };
  for (const start of ['first', 'second']) {
    const service = await place.startService({ settings });
    await service.run('RegisterMerchant', { name: start, business_email: `office@${start}.example` });
    expect((await service.request('/api/v1/merchants/')).status).toBe(200);
    const expected = ['kafka', 'mailer', 'mail_relay', 'public_events', 'public_topics', 'smtp'];
    await waitUntil(async () => {
      const response = await service.request('/readyz');
      expect(response.status).toBe(200);
      const { checks } = (await response.json()) as { checks: readonly { name: string; severity?: string }[] };
      const warnings = checks.filter(({ severity }) => severity === 'warning').map(({ name }) => name);
      return expected.every((name) => warnings.includes(name));
    });
    const { code, stderr } = await service.process.stop();
    expect([code, stderr]).toEqual([0, expect.stringContaining('Kafka does not answer: mails and public events wait')]);
  }
});
