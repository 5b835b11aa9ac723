/**
 * Runs once before the jest project `servers` and remembers which topics of Surety are not there yet; what its suites make of
 * them, `jest-servers-after.mjs` removes. The names of topics are fixed, so several suites use the same ones at a time: one that
 * removed them at its own end would take them from under the others.
 */
import { lackingTopics } from '../test/servers/support/kafka-admin.ts';

/** Topics of Surety that were not there before. */
export let lackingBefore = new Set();

/** @throws when KAFKA_BROKERS names brokers of which none answers: a run whose suites on Kafka all fail is not begun */
export default async function rememberTopics() {
  try {
    lackingBefore = await lackingTopics();
  } catch (error) {
    throw new Error(`No broker that KAFKA_BROKERS names answers: ${String(error)}`, { cause: error });
  }
}
