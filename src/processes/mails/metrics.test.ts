import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { declareMailerMetrics } from './send-mail.ts';

test('counts attempts by outcome and messages that are not a mail job, from zero', async () => {
  const registry = new Registry();
  const metrics = declareMailerMetrics({ metrics: registry });
  metrics.attempted('sent');
  metrics.skipped();
  const text = await registry.metrics();
  expect(text).toMatch(/^surety_mails_total\{outcome="sent"\} 1$/m);
  expect(text).toMatch(/^surety_mails_total\{outcome="unknown"\} 0$/m);
  expect(text).toMatch(/^surety_mail_messages_skipped_total 1$/m);
});
