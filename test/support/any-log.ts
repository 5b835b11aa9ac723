import * as fc from 'fast-check';
import type { MemoryEventStore } from './memory-event-store.ts';
import * as happening from './happenings.ts';

const { happen, idFor, term } = happening;

/** What happens next in the log; numbers are taken modulo what there is. */
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
/** Any step: of three customers, four policies and five claims, so that they often concern the same documents. */
export const step: fc.Arbitrary<Step> = fc.tuple(fc.oneof(...kinds), fc.nat(11));
const customerOf = (policy: number): number => policy % 3;
const policyOf = (claim: number): number => claim % 4;

/** Takes one step: what a command would write, or what none would. */
export async function take(store: MemoryEventStore, [kind, number]: Step): Promise<void> {
  switch (kind) {
    case 'customer':
      return await once(store, happening.customerRegistered(number % 3));
    case 'noise':
      return void (await happen(store, happening.valueReserved(number)));
    case 'retry': {
      const [collection, key] = [
        ['policies', idFor('policy', number % 4)],
        ['customers', idFor('customer', number % 3)],
        ['claims', idFor('claim', number % 5)],
      ][number % 3] as [string, string];
      return void (await happen(store, happening.retryRequested(collection, key)));
    }
    case 'policy':
      return await nextOfPolicy(store, number % 4);
    case 'claim':
      return await nextOfClaim(store, number % 5);
    case 'poison':
      return await smuggle(store, number % 4, { data: { nothing: 'of what is due' } });
    case 'unroutable':
      return await smuggle(store, number % 4, { metadata: null });
    default:
      return kind satisfies never;
  }
}

async function once(store: MemoryEventStore, given: happening.Happening): Promise<void> {
  if ((await store.readLast(given.stream)) === undefined) await happen(store, given);
}

async function nextOfPolicy(store: MemoryEventStore, policy: number): Promise<void> {
  const customer = customerOf(policy);
  const imported = happening.policyImported(customer, policy, term('2000-01-01', '2000-12-31'));
  const revision = (await store.readLast(imported.stream))?.revision;
  if (revision === undefined) return void (await happen(store, imported));
  const year = 2001 + revision;
  const next = term(`${year}-01-01`, `${year}-12-31`, `${year}.00`);
  const choices = [
    happening.policyRenewed(customer, policy, next),
    happening.policyTermImported(customer, policy, next),
    happening.policyRenewed(customer, policy, next),
    happening.policyCancelled(customer, policy),
  ];
  const chosen = choices[revision % choices.length];
  if (chosen !== undefined) await happen(store, chosen);
}

async function nextOfClaim(store: MemoryEventStore, claim: number): Promise<void> {
  const policy = policyOf(claim);
  const customer = customerOf(policy);
  const filed = happening.claimImported(customer, policy, claim);
  const revision = (await store.readLast(filed.stream))?.revision;
  if (revision === undefined) return void (await happen(store, filed));
  const isEven = revision % 2 === 0;
  await happen(store, (isEven ? happening.claimReviewStarted : happening.claimSettled)(customer, policy, claim));
}

/** Puts an event into a policy's stream that no command would write. */
async function smuggle(store: MemoryEventStore, policy: number, part: object): Promise<void> {
  const renewal = happening.policyRenewed(customerOf(policy), policy, term('2099-01-01', '2099-12-31'));
  const last = await store.readLast(renewal.stream);
  const event = { ...happening.toAppend(renewal, (last?.revision ?? -1) + 1), ...part };
  await store.append(renewal.stream, last?.revision ?? 'no_stream', [event]);
}
