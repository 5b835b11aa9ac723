/** Runs once after the jest project `servers`: removes the topics that its suites let `surety setup` make. */
import { removeTopics } from '../test/servers/support/kafka-admin.ts';
import { lackingBefore } from './jest-servers-before.mjs';

export default async function removeNewTopics() {
  await removeTopics(lackingBefore);
}
