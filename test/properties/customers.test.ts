import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { updateCustomer } from '#commands/customer/update-customer.ts';
import { importPolicyTerm } from '#commands/policy/import-policy-term.ts';
import { purchasePolicy } from '#commands/policy/purchase-policy.ts';
import { Refusal } from '#domain/refusals.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { type CustomerState, customer, customerStream } from '#domain/customer/customer.ts';
import { loadState } from '#domain/events.ts';
import { CommandHarness, LIVE, TEST } from '../support/command-harness.ts';
import { givenMerchants, policyRow } from '../support/imports.ts';
import { givenQuote } from '../support/quotes.ts';

const NAMES = ['Ada Obi', 'ada  OBI ', 'Bola Ade', 'Chi Eze'];
const EMAILS = ['a@x.example', 'A@x.example', 'b@x.example', 'c@x.example'];
const REFERENCES = ['C-1', 'c-1 ', 'C-2', 'C-3'];
const same = (text: string) => text.trim().replaceAll(/\s+/g, ' ').toLowerCase();

interface Person {
  readonly name: string;
  readonly email: string;
  readonly reference: string | null;
}

interface Known extends Person {
  readonly phone: string | null;
}

interface Sale {
  readonly kind: 'purchase' | 'import';
  readonly person: Person;
  readonly phone: string | null;
}

interface ReferenceChange {
  readonly at: number;
  readonly reference: string | null;
}

type Command = Sale | { readonly kind: 'patch'; readonly at: number; readonly changes: Partial<Person> };

/** Customers of one merchant and mode by rule, without streams and reservations. */
class CustomersModel {
  readonly all: Known[] = [];
  /** E-mails with names, each with the customers that have had it, in this order. */
  readonly #had = new Map<string, number[]>();

  /** Returns the number of the customer of a new policy, or the code of the refusal. */
  buy({ name, email, reference }: Person, phone: string | null, isImport: boolean): number | string {
    const found = this.#find({ name, email, reference });
    if (typeof found === 'string') return found;
    if (found === undefined) {
      this.all.push({ name: name.trim(), email, reference: reference?.trim() ?? null, phone });
      this.#note(this.all.length - 1);
      return this.all.length - 1;
    }
    const before = this.#get(found);
    this.all[found] = {
      ...before,
      reference: before.reference ?? reference?.trim() ?? null,
      phone: isImport ? before.phone : (phone ?? before.phone),
    };
    return found;
  }

  patch(number: number, changes: Partial<Person>): string | undefined {
    const { reference } = changes;
    const holder = typeof reference === 'string' ? this.#holderOf(reference) : undefined;
    if (holder !== undefined && holder !== number) return 'customer_reference_taken';
    const trimmed = Object.entries(changes).map(([key, value]) => [key, value === null ? null : value.trim()] as const);
    this.all[number] = { ...this.#get(number), ...(Object.fromEntries(trimmed) as Partial<Person>) };
    this.#note(number);
    return undefined;
  }

  #find({ name, email, reference }: Person): number | string | undefined {
    if (reference !== null) {
      const holder = this.#holderOf(reference);
      if (holder !== undefined) {
        const { name: known, email: at } = this.#get(holder);
        const isOther = same(known) !== same(name) && same(at) !== same(email);
        return isOther ? 'customer_reference_taken' : holder;
      }
    }
    const key = keyOf({ name, email });
    return (this.#had.get(key) ?? []).find((number) => {
      const one = this.#get(number);
      return keyOf(one) === key && (reference === null || one.reference === null);
    });
  }

  #holderOf(reference: string): number | undefined {
    const number = this.all.findIndex((one) => one.reference !== null && same(one.reference) === same(reference));
    return number < 0 ? undefined : number;
  }

  #note(number: number): void {
    const key = keyOf(this.#get(number));
    const had = this.#had.get(key) ?? [];
    if (!had.includes(number)) this.#had.set(key, [...had, number]);
  }

  #get(number: number): Known {
    const one = this.all[number];
    if (one === undefined) throw new Error(`there is no customer ${number}`);
    return one;
  }
}

function keyOf({ name, email }: Pick<Person, 'name' | 'email'>): string {
  return `${same(email)} ${same(name)}`;
}

const anyReference = fc.option(fc.constantFrom(...REFERENCES));
const anyPerson: fc.Arbitrary<Person> = fc.record({
  name: fc.constantFrom(...NAMES),
  email: fc.constantFrom(...EMAILS),
  reference: anyReference,
});
const anyPhone = fc.option(fc.constantFrom('+1', '+2'));
const anySale: fc.Arbitrary<Sale> = fc.record({
  kind: fc.constantFrom('purchase', 'import'),
  person: anyPerson,
  phone: anyPhone,
});
const anyChange = fc.record({
  kind: fc.constant('patch' as const),
  at: fc.nat(4),
  changes: fc.record(
    { name: fc.constantFrom(...NAMES), email: fc.constantFrom(...EMAILS), reference: anyReference },
    { requiredKeys: [] },
  ),
});
const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  { arbitrary: anySale, weight: 3 },
  { arbitrary: anyChange, weight: 1 },
);

function customerIn([event]: readonly RecordedEvent[]): string {
  if (event === undefined) throw new Error('there is no event');
  return (event.data as { readonly customerId: string }).customerId;
}

/** Sells policies, each once, however often it is asked to. */
class Sales {
  readonly harness = new CommandHarness();
  readonly #quotes = new Map<number, string>();

  async run(number: number, kind: 'purchase' | 'import', person: Person, phone: string | null): Promise<string> {
    const { name, email, reference } = person;
    const { events } =
      kind === 'purchase'
        ? await this.#purchase(number, person, phone)
        : await this.harness.run(
            importPolicyTerm,
            policyRow({
              policy_number: `POL-${number}`,
              customer_name: name,
              customer_email: email,
              customer_reference: reference ?? `ROW-${number}`,
              ...(phone === null ? {} : { customer_phone: phone }),
            }),
          );
    return customerIn(events);
  }

  /** Returns the quote of a sale. Quotes that are requested at the same time would have one code. */
  async quote(number: number): Promise<string> {
    const { eventStore } = this.harness;
    const code = this.#quotes.get(number) ?? (await givenQuote(eventStore, LIVE, {}, { customer: null })).quote_code;
    this.#quotes.set(number, code);
    return code;
  }

  async #purchase(number: number, { name, email, reference }: Person, phone: string | null) {
    const quote_code = await this.quote(number);
    const [first_name = '', last_name = ''] = name.trim().split(/\s+/);
    const body = {
      quote_code,
      customer_metadata: { first_name, last_name, email, ...(phone === null ? {} : { phone }) },
      ...(reference === null ? {} : { customer_reference: reference }),
    };
    return await this.harness.run(purchasePolicy, body, { environment: LIVE, key: `sale ${number}` });
  }

  async states(): Promise<readonly CustomerState[]> {
    const registered = (await this.harness.log()).filter(({ type }) => type === 'CustomerRegistered');
    const states = registered.map(async ({ stream }) => await loadState(customer, stream, this.harness.eventStore));
    return (await Promise.all(states)).filter((state) => state !== undefined);
  }
}

async function outcomeOf<Result>(run: Promise<Result>): Promise<Result | string> {
  return await run.catch((error: unknown) => {
    if (error instanceof Refusal) return error.code;
    throw error;
  });
}

test('customers are found by reference, or by e-mail and name, and get their references', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyCommand, { maxLength: 14 }), async (commands) => {
      const sales = new Sales();
      await givenMerchants(sales.harness);
      const model = new CustomersModel();
      const ids: string[] = [];
      for (const [number, command] of commands.entries()) {
        // Purchases count as older than a change at the same instant.
        sales.harness.now = `2026-03-01T10:00:${String(number).padStart(2, '0')}.000Z`;
        if (command.kind === 'patch') {
          if (ids.length === 0) continue;
          const at = command.at % ids.length;
          const { name: full_name, email: customer_email, reference: customer_reference } = command.changes;
          const body = { customer_id: ids[at], full_name, customer_email, customer_reference };
          const outcome = await outcomeOf(sales.harness.run(updateCustomer, body, { environment: LIVE }));
          expect(typeof outcome === 'string' ? outcome : undefined).toBe(model.patch(at, command.changes));
          continue;
        }
        const { kind, person, phone } = command;
        const isImport = kind === 'import';
        const reference = person.reference ?? (isImport ? `ROW-${number}` : null);
        const expected = model.buy({ ...person, reference }, phone, isImport);
        const found = await outcomeOf(sales.run(number, kind, person, phone));
        if (typeof expected === 'number' && expected === ids.length && typeof found === 'string') ids.push(found);
        expect(found).toBe(typeof expected === 'number' ? ids[expected] : expected);
      }
      const states = await sales.states();
      const known = states.map(({ customerId, fullName, email, reference, phone }) => [
        ids.indexOf(customerId),
        { name: same(fullName), email: same(email), reference: reference && same(reference), phone },
      ]);
      const wanted = model.all.map(({ name, email, reference, phone }, number) => [
        number,
        { name: same(name), email: same(email), reference: reference && same(reference), phone },
      ]);
      expect(known).toEqual(wanted);
    }),
    { numRuns: 150 },
  );
});

const ADA: Person = { name: 'Ada Obi', email: 'a@x.example', reference: null };
/**
 * A purchase that reserves a reference is killed, its customer gets and loses the same reference, and another one gets
 * it: the purchase must not take the reservation of the earlier revision for its own.
 */
const RESERVED_AT_AN_EARLIER_REVISION: [Sale[], { kills: number[]; changes: ReferenceChange[] }] = [
  [
    { kind: 'purchase', person: { ...ADA, reference: 'C-1' }, phone: null },
    { kind: 'import', person: ADA, phone: null },
    { kind: 'import', person: ADA, phone: null },
    { kind: 'purchase', person: { ...ADA, reference: 'C-2' }, phone: null },
    { kind: 'purchase', person: { ...ADA, reference: 'C-2' }, phone: null },
  ],
  {
    kills: [2],
    changes: [
      { at: 1, reference: null },
      { at: 1, reference: 'C-1' },
      { at: 0, reference: 'C-1' },
    ],
  },
];

test('concurrent and interrupted purchases, imports and changes make no customer twice', async () => {
  const anySales = fc.array(anySale, { minLength: 2, maxLength: 12 });
  // Changes of references alone: of names and e-mails a customer may get those of another one.
  const anyReferenceChange: fc.Arbitrary<ReferenceChange> = fc.record({ at: fc.nat(4), reference: anyReference });
  const anyInterruption = fc.record({
    kills: fc.array(fc.nat(40), { maxLength: 8 }),
    changes: fc.array(anyReferenceChange, { maxLength: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(anySales, anyInterruption, async (wanted, { kills, changes }) => {
      const sales = new Sales();
      const { harness } = sales;
      await givenMerchants(harness);
      for (const number of wanted.keys()) await sales.quote(number);
      let appends = 0;
      harness.eventStore.beforeAppend = () => {
        if (kills.includes(appends++)) throw new Error('killed');
      };
      const bought = new Map<number, string>();
      const attempt = async (run: Promise<string>): Promise<string | undefined> =>
        await outcomeOf(run).catch((error: unknown) => {
          if (error instanceof Error && error.message === 'killed') return undefined;
          throw error;
        });
      const change = async ({ at, reference }: ReferenceChange): Promise<string> => {
        const states = await sales.states();
        const { customerId } = states[at % states.length] ?? {};
        if (customerId === undefined) return 'none';
        const body = { customer_id: customerId, customer_reference: reference };
        return (await harness.run(updateCustomer, body, { environment: LIVE })).commandId;
      };
      for (let round = 0; round < 2 + kills.length; round++) {
        const changed = round === 1 ? changes.map(async (each) => await attempt(change(each))) : [];
        const sold = wanted.map(async ({ kind, person, phone }, number) => {
          const outcome = await attempt(sales.run(number, kind, person, phone));
          if (outcome !== undefined) bought.set(number, outcome);
        });
        await Promise.all([...sold, ...changed]);
      }
      const states = new Map((await sales.states()).map((state) => [state.customerId, state]));
      const references = [...states.values()].flatMap(({ reference }) => (reference === null ? [] : [same(reference)]));
      expect(references.toSorted()).toEqual([...new Set(references)].toSorted());
      const log = await harness.log();
      expect(new Set(log.map(({ id }) => id)).size).toBe(log.length);
      for (const [number, { kind, person }] of wanted.entries()) {
        const reference = person.reference ?? (kind === 'import' ? `ROW-${number}` : null);
        const state = states.get(bought.get(number) ?? '');
        if (state === undefined) {
          expect([bought.get(number), reference === null]).toEqual(['customer_reference_taken', false]);
          continue;
        }
        expect([same(state.fullName) === same(person.name), same(state.email) === same(person.email)]).toContain(true);
        if (changes.length === 0 && reference !== null) expect(same(state.reference ?? '')).toBe(same(reference));
      }
      // A purchase that was interrupted may find its customer changed, and then makes another one.
      if (changes.length > 0) return;
      expect([...states.keys()].filter((id) => ![...bought.values()].includes(id))).toEqual([]);
      expectOneWithoutReference([...states.values()]);
    }),
    { numRuns: 120, examples: [RESERVED_AT_AN_EARLIER_REVISION] },
  );
});

/** A customer without a reference is the only one with its e-mail and name. */
function expectOneWithoutReference(states: readonly CustomerState[]): void {
  const keys = states.map(({ fullName, email }) => keyOf({ name: fullName, email }));
  for (const [index, { reference }] of states.entries())
    if (reference === null) expect(keys.filter((key) => key === keys[index])).toHaveLength(1);
}

test('a reference is that of one merchant and mode', async () => {
  const sales = new Sales();
  await givenMerchants(sales.harness);
  const live = await sales.run(1, 'import', { name: 'Ada Obi', email: 'a@x.example', reference: 'C-1' }, null);
  const row = policyRow({ customer_reference: 'C-1', customer_name: 'Bola Ade', customer_email: 'b@x.example' });
  const { events } = await sales.harness.run(importPolicyTerm, row, { environment: TEST });
  const test = customerIn(events);
  expect(test).not.toBe(live);
  expect(await sales.harness.events(customerStream(test))).toHaveLength(1);
});
