/**
 * Runs once after the jest project `servers`: removes the topics that its suites created by `surety setup`. A failure
 * here does not fail the run.
 */
import { removeTopics } from '../test/servers/support/kafka-admin.ts';
import { lackingBefore } from './jest-servers-before.mjs';

export default async function removeNewTopics() {
  try {
    await removeTopics(lackingBefore);
  } catch (error) {
    console.error(`The topics that the suites created are left on the brokers of KAFKA_BROKERS: ${String(error)}`);
  }
}
