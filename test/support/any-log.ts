import * as fc from 'fast-check';
import type { MemoryEventStore } from './memory-event-store.ts';
import * as sample from './sample-events.ts';
import { appendTo } from '#stores/event-log/event-log.ts';

const { appendSamples, sampleId, term } = sample;

/** The next append to the log; the number selects an entity, modulo the number of entities of its kind. */
export type Step = readonly [
  kind: 'customer' | 'policy' | 'claim' | 'noise' | 'poison' | 'unroutable' | 'retry',
  number,
];

const kinds: fc.WeightedArbitrary<Step[0]>[] = [
  { arbitrary: fc.constant('customer'), weight: 3 },
  { arbitrary: fc.constant('policy'), weight: 6 },
  { arbitrary: fc.constant('claim'), weight: 4 },
  { arbitrary: fc.constant('noise'), weight: 2 },
  { arbitrary: fc.constant('poison'), weight: 1 },
  { arbitrary: fc.constant('unroutable'), weight: 1 },
  { arbitrary: fc.constant('retry'), weight: 1 },
];
/**
 * Generates steps for three customers, four policies and five claims, so that many steps concern the same documents.
 */
export const anyStep: fc.Arbitrary<Step> = fc.tuple(fc.oneof(...kinds), fc.nat(11));
const customerOf = (policy: number): number => policy % 3;
const policyOf = (claim: number): number => claim % 4;

/** Appends the event of one step, valid or invalid, to the log. */
export async function performStep(store: MemoryEventStore, [kind, number]: Step): Promise<void> {
  switch (kind) {
    case 'customer':
      return await appendToCustomer(store, number % 3);
    case 'noise':
      return void (await appendSamples(store, sample.valueReserved(number)));
    case 'retry': {
      const [collection, key] = [
        ['policies', sampleId('policy', number % 4)],
        ['customers', sampleId('customer', number % 3)],
        ['claims', sampleId('claim', number % 5)],
        ['transactions', sampleId('policy', number % 4)],
      ][number % 4] as [string, string];
      return void (await appendSamples(store, sample.retryRequested(collection, key)));
    }
    case 'policy':
      return await appendToPolicy(store, number % 4);
    case 'claim':
      return await appendToClaim(store, number % 5);
    case 'poison':
      return await appendInvalid(store, number % 4, { data: { unexpected: 'data' } });
    case 'unroutable':
      return await appendInvalid(store, number % 4, { metadata: null });
    default:
      return kind satisfies never;
  }
}

async function appendToCustomer(store: MemoryEventStore, customer: number): Promise<void> {
  const registered = sample.customerRegistered(customer);
  const revision = (await store.readLast(registered.stream))?.revision;
  const updated = sample.customerUpdated(customer, { fullName: `Name ${revision}`, phone: null });
  await appendSamples(store, revision === undefined ? registered : updated);
}

async function appendToPolicy(store: MemoryEventStore, policy: number): Promise<void> {
  const customer = customerOf(policy);
  const imported = sample.policyImported(customer, policy, term('2000-01-01', '2000-12-31'));
  const revision = (await store.readLast(imported.stream))?.revision;
  if (revision === undefined) return void (await appendSamples(store, imported));
  const year = 2001 + revision;
  const next = term(`${year}-01-01`, `${year}-12-31`, `${year}.00`);
  const choices = [
    sample.policyRenewed(customer, policy, next),
    sample.policyTermImported(customer, policy, next),
    sample.policyRenewed(customer, policy, next),
    sample.policyCancelled(customer, policy, { cancelledAt: '2001-12-31T12:00:00.000Z' }),
  ];
  const chosen = choices[revision % choices.length];
  if (chosen !== undefined) await appendSamples(store, chosen);
}

async function appendToClaim(store: MemoryEventStore, claim: number): Promise<void> {
  const policy = policyOf(claim);
  const customer = customerOf(policy);
  const filed = sample.claimImported(customer, policy, claim);
  const revision = (await store.readLast(filed.stream))?.revision;
  if (revision === undefined) return void (await appendSamples(store, filed));
  const isEven = revision % 2 === 0;
  await appendSamples(store, (isEven ? sample.claimReviewStarted : sample.claimSettled)(customer, policy, claim));
}

/** Appends an event that no command would write to the stream of a policy. */
async function appendInvalid(store: MemoryEventStore, policy: number, part: object): Promise<void> {
  const renewal = sample.policyRenewed(customerOf(policy), policy, term('2099-01-01', '2099-12-31'));
  const last = await store.readLast(renewal.stream);
  const event = { ...sample.toEventToAppend(renewal, (last?.revision ?? -1) + 1), ...part };
  await appendTo(store, renewal.stream, last?.revision ?? 'no_stream', [event]);
}
