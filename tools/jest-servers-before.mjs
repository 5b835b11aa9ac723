/**
 * Runs once before the jest project `servers` and records the missing topics of Surety, which `jest-servers-after.mjs`
 * removes again. No single suite can remove them, because concurrent suites use the same topics.
 */
import { findMissingTopics } from '../test/servers/support/kafka-admin.ts';

/** Topics of Surety that were missing before the run. */
export let lackingBefore = new Set();

/** @throws {Error} when no broker of KAFKA_BROKERS responds, because all suites on Kafka would fail */
export default async function rememberTopics() {
  try {
    lackingBefore = await findMissingTopics();
  } catch (error) {
    throw new Error(`No broker of KAFKA_BROKERS responds: ${String(error)}`, { cause: error });
  }
}
