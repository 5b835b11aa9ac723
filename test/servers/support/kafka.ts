import { describe } from '@jest/globals';
import { KAFKA } from './kafka-admin.ts';

const hasBroker = KAFKA.brokers.length > 0;

/** Declares a suite that needs a broker; without one it is skipped. `titleOnKafka` makes its name say why. */
export const describeOnKafka = hasBroker ? describe : describe.skip;

/** The name of such a suite. */
export function titleOnKafka(title: string): string {
  return hasBroker ? title : `${title} (skipped: KAFKA_BROKERS names no broker)`;
}

let counted = 0;

/** A name that no other suite uses, not even one that runs at the same time. */
export function ownName(): string {
  counted += 1;
  return `test-${process.pid}-${Date.now().toString(36)}-${counted}.`;
}
