/**
 * Runs once after the jest project `servers`: removes the topics that its suites let `surety setup` make. Nothing depends on it:
 * a run whose tests went well does not fail since a broker is slow or gone.
 */
import { removeTopics } from '../test/servers/support/kafka-admin.ts';
import { lackingBefore } from './jest-servers-before.mjs';

export default async function removeNewTopics() {
  try {
    await removeTopics(lackingBefore);
  } catch (error) {
    console.error(`The topics that the suites made are left on the brokers of KAFKA_BROKERS: ${String(error)}`);
  }
}
