import { describe } from '@jest/globals';
import { canStartBroker } from './broker.ts';

/** One of a test's own can be killed; `KAFKA_BROKERS` says that servers are tested at all. */
const isWanted = Boolean(process.env['KAFKA_BROKERS']);
const canStart = isWanted && canStartBroker;

/** Declares a suite that kills its broker; without the means it is skipped. `titleOwnBroker` makes its name say why. */
export const describeOwnBroker = canStart ? describe : describe.skip;

export function titleOwnBroker(title: string): string {
  if (canStart) return title;
  return `${title} (skipped: ${isWanted ? `no ../shared/servers` : 'KAFKA_BROKERS names no broker'})`;
}
