import { expect } from '@jest/globals';
import { addDays } from '../../../src/domain/values/dates.ts';
import { type Day, dayOf } from '../../../src/event-sourcing/time.ts';
import type { StoredEvent } from '../../../src/event-store/event-store.ts';
import { policyPurchased, term, toAppend } from '../../support/happenings.ts';
import { until } from '../../support/until.ts';
import type { Installation } from './installation.ts';

/** Policies begin so many days ago, with terms of so many days, so that each is to be activated once and renewed three times. */
const BEGAN_DAYS_AGO = 100;
const TERM_DAYS = 30;
const RENEWALS = 3;

const CUSTOMER = 1;

/** Writes histories into the log: policies of numbers that nobody has used, whose activation and renewals are due. */
export async function makeDue(on: Installation, count: number): Promise<readonly string[]> {
  const now = new Date().toISOString();
  const from = addDays(dayOf(now), -BEGAN_DAYS_AGO);
  const eventStore = on.eventStore.openStore();
  try {
    const numbers = Array.from({ length: count }, (_, number) => number);
    return await Promise.all(
      numbers.map(async (number) => {
        const changes = { status: 'accepted', days: TERM_DAYS, autoRenew: true };
        const happening = policyPurchased(CUSTOMER, number, term(from, addDays(from, TERM_DAYS)), changes);
        await eventStore.append(happening.stream, 'no_stream', [toAppend(happening, 0, now)]);
        return happening.stream;
      }),
    );
  } finally {
    await eventStore.close();
  }
}

/** Waits until everything that was due is done, and checks that each activation and each renewal was done once. */
export async function expectDoneOnce(on: Installation, streams: readonly string[]): Promise<void> {
  const eventStore = on.eventStore.openStore();
  try {
    for (const stream of streams) {
      let events: readonly StoredEvent[] = [];
      const done = (type: string): readonly StoredEvent[] => events.filter((event) => event.type === type);
      await until(
        async () => {
          events = await eventStore.readStream(stream);
          return done('PolicyRenewed.v1').length >= RENEWALS;
        },
        () => `${stream} holds ${events.map(({ type }) => type).join(', ')}`,
      );
      const starts = done('PolicyRenewed.v1').map(({ data }) => (data as { readonly term: { from: Day } }).term.from);
      expect([stream, new Set(starts).size]).toEqual([stream, RENEWALS]);
      expect(events.map(({ type }) => type)).toEqual([
        'PolicyPurchased.v1',
        'PolicyActivated.v1',
        ...starts.map(() => 'PolicyRenewed.v1'),
      ]);
    }
  } finally {
    await eventStore.close();
  }
}
