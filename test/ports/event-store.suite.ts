import { describe } from '@jest/globals';

import { describeAppending } from './event-store/appending.ts';
import { describeModel } from './event-store/model.ts';
import { describeReading } from './event-store/reading.ts';
import { describeRepeating } from './event-store/repeating.ts';
import type { OpenEventStore } from './event-store/subject.ts';
import { describeSubscribing } from './event-store/subscribing.ts';

/** Declares the tests that every adapter of event store must pass unchanged. */
export function describeEventStore(name: string, open: OpenEventStore): void {
  describe(`event store: ${name}`, () => {
    describeAppending(open);
    describeRepeating(open);
    describeReading(open);
    describeSubscribing(open);
    describeModel(open);
  });
}
