import { beforeEach, describe, expect, test } from '@jest/globals';
import { customerStream } from '#domain/customer/customer.ts';
import { productStream } from '#domain/product/product.ts';
import { merchantScope } from '#domain/reservations.ts';
import { reservationStream } from '#event-sourcing/identifiers.ts';
import {
  givenEnvironment,
  givenMerchants,
  importPolicy,
  importRow,
  OTHER_MERCHANT,
  policyRow,
} from '#test/support/imports.ts';
import { CommandHarness, LIVE, TEST } from '#test/support/command-harness.ts';
import { DAY, given, type GivenEvent, NOW } from '#test/support/given.ts';
import { changed, policyEvent, returnedOf } from '#test/support/policy-events.ts';
import {
  policyCancelled,
  policyImported,
  policyPurchased,
  policyRenewed,
  policyTermImported,
  term,
} from '#test/support/sample-events.ts';
import { cancelPolicy } from './cancel-policy.ts';
import { importPolicyTerm } from './import-policy-term.ts';
import { importPolicyTermInput, termOfRow } from './import-row.ts';

let harness: CommandHarness;

beforeEach(async () => {
  harness = new CommandHarness();
  await givenMerchants(harness);
});

const types = async () => (await harness.log()).map(({ type }) => type).slice(5);

interface Imported {
  readonly customerId: string;
  readonly provider: { readonly id: string };
  readonly product: { readonly id: string };
}

describe('An import into an empty log', () => {
  test('reserves the values of the customer first, then the number, and records the policy last', async () => {
    const { events, result, created } = await importRow(harness, {
      customer_phone: '+234 1',
      customer_address: 'Lagos',
      tax: '73',
      commission: '29.20',
      auto_renew: 'true',
    });
    const written = await types();
    expect(written.slice(0, 3)).toEqual(['CustomerReserved', 'CustomerReserved', 'ValueReserved']);
    expect(written.at(-1)).toBe('PolicyImported');
    expect(written.sort()).toEqual([
      'CustomerRegistered',
      'CustomerReserved',
      'CustomerReserved',
      'PolicyImported',
      'ProductAdded',
      'ProviderRegistered',
      'ValueReserved',
      'ValueReserved',
      'ValueReserved',
    ]);
    expect(created).toBe(true);
    expect(events[0]?.data).toEqual({
      effectiveAt: '2026-01-01',
      policyId: result.policy_id,
      merchantId: expect.any(String),
      environmentId: 1,
      testMode: false,
      customerId: expect.any(String),
      policyNumber: 'POL-1',
      status: 'active',
      merchantName: 'Acme Bank',
      merchantShortCode: 'ACM-0001',
      holder: { name: 'Ada Obi', email: 'ada@customers.example', phone: '+234 1', address: 'Lagos' },
      customerReference: 'C-1',
      provider: { id: expect.any(String), name: 'Assurance', email: null },
      product: { id: expect.any(String), name: 'Private Motor', type: 'Auto' },
      timeZone: 'UTC',
      currency: 'EUR',
      renewable: true,
      inspectionRequired: false,
      certificationRequired: false,
      term: {
        from: '2026-01-01',
        through: '2026-12-31',
        premium: '365.00',
        net: '292.00',
        fee: '0.00',
        tax: '73.00',
        commission: '29.20',
        minimum: '0.00',
        taxRate: '0.25',
        commissionRate: '0.10',
        periods: [
          {
            from: '2026-01-01',
            through: '2026-12-31',
            annualNet: '292.00',
            net: '292.00',
            coverages: ['fire', 'third party'].map((name) => ({ name, type: null, limit: null, deductible: null })),
          },
        ],
      },
      autoRenew: true,
      paymentFrequency: 'annual',
      risk: { driver_age: '44' },
      premiumParts: { fire: '15.00', theft: '0.00', third_party: '350.00' },
    });
  });

  test('registers the customer of the row', async () => {
    const { events } = await importRow(harness, { customer_date_of_birth: '1980-02-29', customer_phone: '' });
    const { customerId } = events[0]!.data as Imported;
    expect((await harness.events(customerStream(customerId)))[0]?.data).toMatchObject({
      reference: 'C-1',
      fullName: 'Ada Obi',
      email: 'ada@customers.example',
      phone: null,
      dateOfBirth: '1980-02-29',
      address: null,
    });
  });

  test.each([
    ['2026-03-01', 'active'],
    ['2026-03-02', 'accepted'],
  ])('with a term from %s makes a policy that is %s', async (term_from, status) => {
    expect((await importRow(harness, { term_from })).events[0]?.data).toMatchObject({ status });
  });

  test('registers the customer on the day of the environment', async () => {
    const environment = { ...LIVE, environmentId: 9 };
    await givenEnvironment(harness, environment, 'Pacific/Kiritimati');
    await importRow(harness, {}, { environment });
    const registered = (await harness.log()).find(({ type }) => type === 'CustomerRegistered');
    expect(registered?.data).toMatchObject({ effectiveAt: '2026-03-02' });
  });
});

describe('A policy with one term', () => {
  let policyId: string;
  beforeEach(async () => {
    ({ policyId } = await importPolicy(harness));
  });
  const next = { term_from: '2027-01-01', term_through: '2027-12-31', premium: '400', customer_name: 'Ada Eze' };

  test('gets the next term and nothing else', async () => {
    const before = (await types()).length;
    const { events, result } = await importRow(harness, next);
    expect(result).toEqual({ policy_id: policyId });
    expect((await types()).slice(before)).toEqual(['PolicyTermImported']);
    expect(events[0]?.data).toMatchObject({
      effectiveAt: '2027-01-01',
      policyId,
      status: 'active',
      term: { premium: '400.00' },
    });
  });

  test('returns the same result for the same row in another order or with empty columns', async () => {
    const before = await harness.log();
    const reversed = Object.fromEntries(Object.entries(policyRow({ customer_phone: '' })).reverse());
    const outcome = await harness.run(importPolicyTerm, reversed);
    expect(outcome).toMatchObject({ replayed: true, result: { policy_id: policyId } });
    expect(await harness.log()).toEqual(before);
  });

  test('accepts the same row and rejects another one after its cancellation', async () => {
    await harness.run(cancelPolicy, { policy_id: policyId, cancellation_reason: 'sold' });
    expect((await importRow(harness)).replayed).toBe(true);
    const refusal = await harness.expectRefusal(importPolicyTerm, policyRow(next));
    expect(refusal).toMatchObject({ code: 'policy_already_cancelled' });
  });

  test('takes no term in another currency, and its product no other policy', async () => {
    const other = { currency: 'NGN' };
    const refused = async (changes: object) => {
      const { code, fields } = await harness.expectRefusal(importPolicyTerm, policyRow({ ...changes, ...other }));
      return [code, ...fields];
    };
    const before = await harness.log();
    const message = (of: string) => ({ field: 'currency', message: `must be EUR, the currency of the ${of}` });
    expect(await refused(next)).toEqual(['invalid_request', message('policy')]);
    expect(await refused({ policy_number: 'POL-2' })).toEqual(['invalid_request', message('product')]);
    expect(await harness.log()).toEqual(before);
  });

  test('does not share its number with another mode or merchant', async () => {
    const ids = [policyId];
    for (const environment of [TEST, OTHER_MERCHANT]) {
      ids.push((await importPolicy(harness, {}, { environment })).policyId);
    }
    expect(new Set(ids).size).toBe(3);
  });

  test('shares its customer with another policy of the same e-mail', async () => {
    const { events } = await importRow(harness, { policy_number: 'POL-2', customer_email: 'Ada@Customers.example' });
    const [first] = await harness.events(`policy-${policyId}`);
    expect((events[0]!.data as Imported).customerId).toBe((first!.data as Imported).customerId);
  });

  test('names the current coverages of its product in another policy', async () => {
    const [first] = await harness.events(`policy-${policyId}`);
    const { product, provider } = first!.data as Imported;
    const coverages = ['Theft', 'Glass'].map((name) => ({
      name,
      coverageId: name,
      description: null,
      type: null,
      limit: null,
      deductible: '5.00',
    }));
    const data = { productId: product.id, providerId: provider.id, visibility: 'both', changes: { coverages } };
    await harness.given(productStream(product.id), { type: 'ProductUpdated', data });
    const { events } = await importRow(harness, { policy_number: 'POL-2' });
    expect(events[0]?.data).toMatchObject({
      product: { id: product.id },
      term: { periods: [{ coverages: [{ name: 'Theft', deductible: '5.00' }, { name: 'Glass' }] }] },
    });
  });

  test('has a reservation of its number with the tags of merchant and policy', async () => {
    const scope = merchantScope(LIVE);
    const [reserved] = await harness.events(reservationStream('policyNumber', scope, 'POL-1'));
    expect(reserved?.metadata).toMatchObject({ merchant: LIVE.merchantId, testMode: false, policy: policyId });
  });

  test('does not share its product with a product of another type', async () => {
    const { events } = await importRow(harness, { policy_number: 'POL-2', product_type: 'Home' });
    const [first] = await harness.events(`policy-${policyId}`);
    expect((events[0]!.data as Imported).product.id).not.toBe((first!.data as Imported).product.id);
  });
});

describe('The decision on another term', () => {
  const FIRST = term('2026-01-01', '2026-12-31');
  const import_ = (changes: object, ...history: readonly GivenEvent[]) => {
    const next = { term_from: '2027-01-01', term_through: '2027-12-31', premium: '400' };
    const row = termOfRow(importPolicyTermInput.parse(policyRow({ ...next, ...changes })));
    const details = { term: row, termId: 'new', cancellation: undefined, now: NOW, today: DAY };
    return given(...history).when(importPolicyTerm, details);
  };
  const added = (from: string, through: string, changes: object = {}) =>
    changed(policyTermImported(1, 1, { ...term(from, through, '400.00') }), {
      effectiveAt: from,
      paymentFrequency: 'annual',
      risk: { driver_age: '44' },
      premiumParts: { fire: '15.00', theft: '0.00', third_party: '350.00' },
      ...changes,
    });
  const COVERED = { coverages: 'all of it' };
  const imported = (changes: object = {}) => changed(policyImported(1, 1, FIRST), changes);

  test('makes a policy active with a term that has begun', () => {
    const future = { status: 'accepted', term: term('2027-06-01', '2027-12-31') };
    const begun = { ...COVERED, term_from: '2026-01-01', term_through: '2026-12-31' };
    import_(begun, imported(future)).then(added('2026-01-01', '2026-12-31', { status: 'active' }));
    const later = { ...COVERED, term_from: '2028-01-01', term_through: '2028-12-31' };
    import_(later, imported(future)).then(added('2028-01-01', '2028-12-31', { status: 'accepted' }));
  });

  test('takes auto_renew from the row with the last term, unless that is over', () => {
    const yes = { ...COVERED, auto_renew: 'true' };
    import_(yes, imported()).then(added('2027-01-01', '2027-12-31', { autoRenew: true }));
    import_(COVERED, imported({ autoRenew: true })).then(added('2027-01-01', '2027-12-31', { autoRenew: false }));
    const early = { term_from: '2025-01-01', term_through: '2025-12-31' };
    import_({ ...COVERED, ...early }, imported({ autoRenew: true })).then(
      added('2025-01-01', '2025-12-31', { autoRenew: true }),
    );
    const over = { ...early, term_through: '2026-02-28' };
    import_({ ...yes, ...over }, imported({ term: term('2024-01-01', '2024-12-31') })).then(
      added('2025-01-01', '2026-02-28', { autoRenew: false }),
    );
  });

  test('is refused for a policy that was bought here, is not renewable, or has ended', () => {
    const wrong = (field: string, message: string) => ({ fields: [{ field, message }] });
    const bought = policyPurchased(1, 1, FIRST, { status: 'accepted', waits: true });
    import_({}, bought).thenRefused(
      ...(['invalid_request', wrong('policy_number', 'is the number of a policy that was bought here')] as const),
    );
    import_({ auto_renew: 'true' }, imported({ renewable: false })).thenRefused(
      ...(['invalid_request', wrong('auto_renew', 'must not be true: the product is not renewable')] as const),
    );
    const toCome = policyCancelled(1, 1, { effectiveAt: '2026-12-31' });
    import_({}, imported(), toCome).thenRefused('policy_already_cancelled');
  });

  test('may take the days of a withdrawn term', () => {
    const next = term('2027-01-01', '2027-12-31');
    const withdrawn = policyEvent('TermWithdrawn', { reason: 'x', returned: returnedOf(1, next) });
    import_({}, imported(), policyRenewed(1, 1, next)).thenRefused('term_overlaps');
    expect(import_({}, imported(), policyRenewed(1, 1, next), withdrawn).error()).toBeUndefined();
  });
});

describe('An interrupted import', () => {
  /** The stream category at whose append the process dies. */
  const dies = [
    'providerName',
    'provider',
    'productName',
    'product',
    'customerIdentity',
    'customerReference',
    'customer',
    'policy',
  ];

  async function dieAt(category: string, changes: Readonly<Record<string, string>> = {}): Promise<void> {
    harness.eventStore.beforeAppend = (stream) => {
      if (stream.startsWith(`${category}-`)) throw new Error('killed');
    };
    await expect(importRow(harness, changes)).rejects.toThrow('killed');
    harness.eventStore.beforeAppend = () => {};
  }

  test.each(dies)(
    'completes next to a concurrent import of the same customer after a crash before %s',
    async (category) => {
      await dieAt(category);
      await importRow(harness, { policy_number: 'POL-2' });
      await importRow(harness);
      const made = (await types()).filter((type) => type !== 'ValueReserved').sort();
      expect(made).toEqual([
        'CustomerRegistered',
        'CustomerReserved',
        'CustomerReserved',
        'PolicyImported',
        'PolicyImported',
        'ProductAdded',
        'ProviderRegistered',
      ]);
    },
  );

  test('reserves no number for a row that is refused because of its reference', async () => {
    // The reference is reserved for another customer after this row has found it free.
    harness.eventStore.beforeAppend = async (stream) => {
      if (!stream.startsWith('customerReference-')) return;
      harness.eventStore.beforeAppend = () => {};
      await importRow(harness, { policy_number: 'POL-2', customer_name: 'Bola Ade', customer_email: 'b@x.example' });
    };
    const row = policyRow({ policy_number: 'POL-1' });
    expect((await harness.expectRefusal(importPolicyTerm, row)).code).toBe('customer_reference_taken');
    const reserved = (await harness.log()).filter(({ type }) => type === 'ValueReserved');
    expect(reserved.map(({ data }) => (data as { readonly value: string }).value)).not.toContain('POL-1');
  });

  test('is completed by another row of the same number, under the reserved id', async () => {
    await dieAt('policy');
    const later = { term_from: '2027-01-01', term_through: '2027-12-31' };
    const { result, events } = await importRow(harness, later);
    expect(events[0]?.type).toBe('PolicyImported');
    const first = await importRow(harness);
    expect(first.result).toEqual(result);
    expect(first.events[0]?.type).toBe('PolicyTermImported');
  });
});

describe('A concurrent import of the same number', () => {
  test.each(['policyNumber-', 'policy-'])(
    'makes the second row an additional term when it conflicts at %s',
    async (prefix) => {
      const later = { term_from: '2027-01-01', term_through: '2027-12-31' };
      let concurrent: Promise<unknown> | undefined;
      harness.eventStore.beforeAppend = async (stream) => {
        if (concurrent !== undefined || !stream.startsWith(prefix)) return;
        concurrent = Promise.resolve();
        concurrent = importRow(harness, later);
        await concurrent;
      };
      const { events } = await importRow(harness);
      const stored = await harness.events(events[0]!.stream);
      expect(stored.map(({ type }) => type)).toEqual(['PolicyImported', 'PolicyTermImported']);
      expect(stored[0]!.data).toMatchObject({ effectiveAt: '2027-01-01' });
      expect(events[0]).toEqual(stored[1]);
    },
  );
});
