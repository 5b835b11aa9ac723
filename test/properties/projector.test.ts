import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { PROJECTIONS } from '../../projections/registry.ts';
import { type EventStore, StoreUnavailable } from '../../src/event-store/event-store.ts';
import { verifyReadModels } from '../../src/projector/verify.ts';
import * as happening from '../support/happenings.ts';
import { MemoryEventStore } from '../support/memory-event-store.ts';
import { MemoryReadModels } from '../support/memory-read-models.ts';
import { allDocuments, level, projected, projecting } from '../support/projector-world.ts';

const { happen, idFor, term } = happening;

/** What happens next in the log; numbers are taken modulo what there is. */
type Step = readonly [kind: 'customer' | 'policy' | 'claim' | 'noise' | 'poison' | 'unroutable' | 'retry', number];

/** What happens to the projector before the next stretch of the log. */
interface Mishap {
  readonly batchSize: number;
  readonly failingWrites: number;
  readonly failsAfterWriting: boolean;
  /** Which collections forget how far they are. */
  readonly forgetful: number;
  readonly everythingTwice: boolean;
}

const kinds: fc.WeightedArbitrary<Step[0]>[] = [
  { arbitrary: fc.constant('customer'), weight: 3 },
  { arbitrary: fc.constant('policy'), weight: 6 },
  { arbitrary: fc.constant('claim'), weight: 4 },
  { arbitrary: fc.constant('noise'), weight: 2 },
  { arbitrary: fc.constant('poison'), weight: 1 },
  { arbitrary: fc.constant('unroutable'), weight: 1 },
  { arbitrary: fc.constant('retry'), weight: 1 },
];
const step: fc.Arbitrary<Step> = fc.tuple(fc.oneof(...kinds), fc.nat(11));
const mishap: fc.Arbitrary<Mishap> = fc.record({
  batchSize: fc.integer({ min: 1, max: 9 }),
  failingWrites: fc.nat(2),
  failsAfterWriting: fc.boolean(),
  forgetful: fc.nat(2 ** PROJECTIONS.length - 1),
  everythingTwice: fc.boolean(),
});
const stretches = fc.array(fc.tuple(fc.array(step, { minLength: 1, maxLength: 12 }), mishap), {
  minLength: 1,
  maxLength: 5,
});

const customerOf = (policy: number): number => policy % 3;
const policyOf = (claim: number): number => claim % 4;

/** Takes one step: what a command would write, or what none would. */
async function take(store: MemoryEventStore, [kind, number]: Step): Promise<void> {
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

/** The same log, whose subscriptions deliver every message twice. */
function deliveringTwice(store: MemoryEventStore): EventStore {
  const subscribe: EventStore['subscribe'] = async function* (options) {
    for await (const message of store.subscribe(options)) {
      yield message;
      yield message;
    }
  };
  return new Proxy<EventStore>(store, {
    get: (_store, name: keyof EventStore) => (name === 'subscribe' ? subscribe : store[name].bind(store)),
  });
}

async function survive(store: MemoryEventStore, readModels: MemoryReadModels, mishap: Mishap): Promise<void> {
  let failures = mishap.failingWrites;
  readModels[mishap.failsAfterWriting ? 'afterWrite' : 'beforeWrite'] = () => {
    if (failures-- > 0) throw new StoreUnavailable('the disk is full');
  };
  const eventStore = mishap.everythingTwice ? deliveringTwice(store) : store;
  await projected({ eventStore, readModels, batchSize: mishap.batchSize }, (await store.lastPosition()) ?? 0n);
  readModels.beforeWrite = () => {};
  readModels.afterWrite = () => {};
  PROJECTIONS.forEach(({ name }, index) => {
    if ((mishap.forgetful >> index) % 2 === 1) readModels.setCheckpoint(name, undefined);
  });
}

describe('the projector', () => {
  test('whatever happens on the way, then the documents are those of a fresh fold, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(stretches, async (given) => {
        const eventStore = new MemoryEventStore();
        const readModels = new MemoryReadModels();
        for (const [steps, mishap] of given) {
          for (const next of steps) await take(eventStore, next);
          await survive(eventStore, readModels, mishap);
        }
        await projected({ eventStore, readModels });
        const fresh = new MemoryReadModels();
        await projected({ eventStore, readModels: fresh });
        expect(await allDocuments(readModels)).toEqual(await allDocuments(fresh));
        expect((await verifyReadModels({ eventStore, readModels, projections: PROJECTIONS })).differences).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  test('given every event one by one, live, then the documents are those of a fold in one go', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
        const eventStore = new MemoryEventStore();
        const readModels = new MemoryReadModels();
        const projector = await projecting({ eventStore, readModels });
        for (const next of steps) {
          await take(eventStore, next);
          await level(projector, (await eventStore.lastPosition()) ?? 0n);
        }
        await projector.stop();
        const fresh = new MemoryReadModels();
        await projected({ eventStore, readModels: fresh });
        expect(await allDocuments(readModels)).toEqual(await allDocuments(fresh));
      }),
      { numRuns: 100 },
    );
  });
});
