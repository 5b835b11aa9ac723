import { describe } from '@jest/globals';
import { KAFKA } from './kafka-admin.ts';

const hasBroker = KAFKA.brokers.length > 0;

/** Declares a suite that needs a broker; skipped without one. `titleOnKafka` adds the reason to its title. */
export const describeOnKafka = hasBroker ? describe : describe.skip;

/** Returns the title of a suite for `describeOnKafka`. */
export function titleOnKafka(title: string): string {
  return hasBroker ? title : `${title} (skipped: KAFKA_BROKERS names no broker)`;
}

let count = 0;

/** Returns a name that no other suite uses, also not a concurrent one. */
export function uniqueName(): string {
  count += 1;
  return `test-${process.pid}-${Date.now().toString(36)}-${count}.`;
}
