import { join } from 'node:path';
import { openSqliteEventStore } from '#stores/event-log/sqlite/sqlite-event-store.ts';
import { addDays } from '#domain/values/dates.ts';
import {
  claimImported,
  customerRegistered,
  policyImported,
  policyTermImported,
  type SampleEvent,
  sampleId,
  term,
  toEventToAppend,
} from './sample-events.ts';
import { appendTo } from '#stores/event-log/event-log.ts';

const APPENDS_IN_FLIGHT = 500;
/** Below the limit of an append in bytes. */
const EVENTS_PER_APPEND = 500;

/** Ids of what `appendLargeCustomer` has appended. */
export interface LargeCustomer {
  readonly customer: string;
  /** The policy with many terms, of another customer. */
  readonly longPolicy: string;
}

/**
 * Appends a customer with many policies, each with a claim, and a policy with many terms to the log of a data folder.
 */
export async function appendLargeCustomer(data: string, policies: number, terms: number): Promise<LargeCustomer> {
  const eventStore = openSqliteEventStore({ file: join(data, 'events.db') });
  const append = async (samples: readonly SampleEvent[]): Promise<void> => {
    for (let from = 0; from < samples.length; from += EVENTS_PER_APPEND) {
      const part = samples.slice(from, from + EVENTS_PER_APPEND);
      const [first, ...rest] = part.map((sample, index) => toEventToAppend(sample, from + index));
      if (first !== undefined)
        await appendTo(eventStore, part[0]?.stream ?? '', from === 0 ? 'no_stream' : from - 1, [first, ...rest]);
    }
  };
  for (const customer of [1, 2]) await append([customerRegistered(customer)]);
  for (let from = 0; from < policies; from += APPENDS_IN_FLIGHT) {
    const numbers = Array.from({ length: Math.min(APPENDS_IN_FLIGHT, policies - from) }, (_, index) => from + index);
    await Promise.all(numbers.map(async (number) => await append([policyImported(1, number)])));
    await Promise.all(numbers.map(async (number) => await append([claimImported(1, number, number)])));
  }
  const days = Array.from({ length: terms }, (_, index) => addDays('1990-01-01', 2 * index));
  await append([
    policyImported(2, policies, term('1989-01-01', '1989-12-31')),
    ...days.map((day) => policyTermImported(2, policies, term(day, day))),
  ]);
  await eventStore.close();
  return { customer: sampleId('customer', 1), longPolicy: sampleId('policy', policies) };
}
