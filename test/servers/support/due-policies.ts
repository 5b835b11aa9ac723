import { expect } from '@jest/globals';
import { addDays } from '#domain/values/dates.ts';
import { type Day, dayOf } from '#event-sourcing/time.ts';
import { appendTo, type StoredEvent } from '#stores/event-log/event-log.ts';
import { policyPurchased, term, toEventToAppend } from '../../support/sample-events.ts';
import { waitUntil } from '../../support/wait-until.ts';
import type { Installation } from './installation.ts';

/** With this start and term length, each policy is due for one activation and three renewals. */
const BEGAN_DAYS_AGO = 100;
const TERM_DAYS = 30;
const RENEWALS = 3;

const CUSTOMER = 1;

/** Appends purchased policies whose activation and renewals are due; returns their streams. */
export async function createDuePolicies(installation: Installation, count: number): Promise<readonly string[]> {
  const now = new Date().toISOString();
  const from = addDays(dayOf(now), -BEGAN_DAYS_AGO);
  const eventStore = installation.eventStore.openStore();
  try {
    const numbers = Array.from({ length: count }, (_, number) => number);
    return await Promise.all(
      numbers.map(async (number) => {
        const changes = { status: 'accepted', autoRenew: true };
        const event = policyPurchased(CUSTOMER, number, term(from, addDays(from, TERM_DAYS)), changes);
        await appendTo(eventStore, event.stream, 'no_stream', [toEventToAppend(event, 0, now)]);
        return event.stream;
      }),
    );
  } finally {
    await eventStore.close();
  }
}

/**
 * Waits until everything due is done, and checks that each policy was activated once and each renewal was made once.
 */
export async function expectProcessedOnce(installation: Installation, streams: readonly string[]): Promise<void> {
  const eventStore = installation.eventStore.openStore();
  try {
    for (const stream of streams) {
      let events: readonly StoredEvent[] = [];
      const done = (type: string): readonly StoredEvent[] => events.filter((event) => event.type === type);
      await waitUntil(
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
