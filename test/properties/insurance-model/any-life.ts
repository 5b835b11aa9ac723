// Any life of a policy, mostly one that could be.
import * as fc from 'fast-check';
import { formatMoney } from '#domain/values/money.ts';
import type { Change } from './changes.ts';
import type { AnyDay, AnyRow, Beginning, Contract, Step } from './lives.ts';
import { isPriced, type Product, type Rating } from './rating.ts';
import { type Coverage, LARGEST } from './timeline.ts';

const rarely = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 3 });
const money = (min: bigint, max: bigint) => fc.bigInt({ min, max }).map(formatMoney);
const amount = fc.oneof(
  { weight: 3, arbitrary: fc.bigInt({ min: 0n, max: 100_000n }) },
  { weight: 3, arbitrary: fc.bigInt({ min: 0n, max: 10_000_000n }) },
  { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: LARGEST }) },
);
const percentages = fc.constantFrom('0', '5', '7.5', '12.345', '19', '33.3333', '100');
/** Short terms are rare: one of a day can renew a hundred times before the next step. */
const days = fc.oneof(
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 365 }) },
  { weight: 4, arbitrary: fc.integer({ min: 60, max: 365 }) },
  { weight: 2, arbitrary: fc.constantFrom(29, 30, 365) },
);

/** Members that fast-check leaves out are absent. */
const some = (members: Record<string, fc.Arbitrary<unknown>>) => fc.record(members, { requiredKeys: [] });

export const anyRating = some({
  rate: fc.record({ field: fc.constant('vehicle_value'), percent: percentages }),
  loadings: fc.array(
    fc.oneof(
      fc.record({
        field: fc.constant('vehicle_usage'),
        equals: fc.constantFrom('Commercial', 'Private'),
        percent: fc.constantFrom('20', '-10.5', '-100', '33.333'),
        label: fc.constant('Use'),
      }),
      fc.record({
        field: fc.constant('vehicle_value'),
        at_least: fc.constantFrom('100', '50000'),
        amount: money(-50_000n, 50_000n),
        label: fc.constant('Value'),
      }),
    ),
    { maxLength: 3 },
  ),
  discount_percent: percentages,
  minimum_premium: money(0n, 200_000n),
  surcharge: money(0n, 20_000n),
  tax_percent: percentages,
  commission_percent: percentages,
}) as fc.Arbitrary<Rating>;

const COVERAGES: readonly Coverage[] = [
  { coverage_name: 'Collision', coverage_type: 'Damage', coverage_limit: '1000000.00', deductible: '500.00' },
  { coverage_name: 'Theft of parts', coverage_type: 'Theft', coverage_limit: null, deductible: null },
];

const anyTiers = fc.array(
  fc.record(
    {
      tier_name: fc.constantFrom('Gold', 'Silver'),
      base_premium: amount.map(formatMoney),
      rating: anyRating,
      coverages: fc.constant(COVERAGES.slice(1)),
    },
    { requiredKeys: ['tier_name', 'base_premium'] },
  ),
  { maxLength: 1 },
);

export const anyProduct = fc.record(
  {
    base_premium: amount.map(formatMoney),
    coverages: fc.constant(COVERAGES),
    rating: anyRating,
    tiers: anyTiers,
    cancellation: some({
      cooling_off_days: fc.constantFrom(0, 1, 14, 30, 60),
      refund_after_claim: fc.boolean(),
      minimum_retained: money(0n, 200_000n),
    }),
    additional_information: fc.constantFrom({}, {}, { min_age: 19 }, { max_age: 80 }),
    renewable: fc.constantFrom(true, true, true, true, true, false),
    inspection_required: fc.constantFrom(false, false, true),
  },
  { requiredKeys: ['base_premium', 'coverages'] },
) as fc.Arbitrary<Product>;

const row: fc.Arbitrary<AnyRow> = fc.record({
  from: fc.integer({ min: -800, max: 400 }),
  days: fc.oneof(fc.integer({ min: 1, max: 800 }), fc.constantFrom(365, 366)),
  premium: amount,
  tax: rarely(fc.nat(40)),
  commission: rarely(fc.nat(50)),
  returned: rarely(fc.nat(105)),
  autoRenew: fc.boolean(),
  cancelled: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(800) }),
});

export const anyBeginning: fc.Arbitrary<Beginning> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      by: fc.constant('purchase' as const),
      starts: fc.oneof(fc.constant(0), fc.integer({ min: -1, max: 367 })),
      request: fc.record({
        values: fc.record({
          vehicle_value: fc.integer({ min: 100, max: 3_000_000 }),
          vehicle_usage: fc.constantFrom('Commercial', 'Private'),
        }),
        quoted: fc.option(days, { freq: 1 }),
        duration: rarely(days),
        autoRenew: fc.boolean(),
        isAsked: fc.boolean(),
        born: fc.constantFrom('1980-02-29', '1980-02-29', '2008-02-29', '2009-02-28', null),
      }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ by: fc.constant('import' as const), row }) },
);

const NAMES = ['Collision', 'collision', 'Theft of parts', 'Theft', 'Damage', 'Fire', 'Glass', 'Flood'] as const;
const anyChange = fc
  .record({
    action: fc.constantFrom<Change['action']>('add', 'add', 'modify', 'modify', 'modify', 'remove'),
    // Mostly one that is there where it is looked for, and one that is not there where it is added.
    there: fc.nat(4),
    other: fc.nat(7),
    isOther: fc.nat(5),
    by: fc.constantFrom('name', 'type', 'both'),
    amount: fc.option(fc.oneof({ weight: 9, arbitrary: money(-30_000n, 100_000n) }, money(-LARGEST, LARGEST))),
    members: some({
      coverage_limit: fc.option(amount.map(formatMoney)),
      deductible: fc.option(money(0n, 100_000n)),
      covered_items: fc.option(fc.array(fc.constantFrom('Windscreen', 'Mirrors'), { maxLength: 2 })),
    }),
  })
  .map(({ action, there, other, isOther, by, amount: additional, members }): Change => {
    const name = NAMES[isOther === 0 ? other : action === 'add' ? 3 + there : there] ?? 'Fire';
    return {
      action,
      ...(by === 'type' ? {} : { coverage_name: name }),
      ...(by === 'name' ? {} : { coverage_type: name }),
      ...(additional === null ? {} : { additional_amount: additional }),
      ...(action === 'remove' ? {} : members),
    };
  });

/** "At a renewal the specification's fields are one change"; it needs a type. */
const renewalChange = anyChange.filter(
  ({ action, coverage_type }) => action !== 'remove' && coverage_type !== undefined,
);

const dayAfter = (on: AnyDay['on'], min: number, max: number): fc.Arbitrary<AnyDay> =>
  fc.record({ on: fc.constant(on), offset: fc.integer({ min, max }) });
const anyDay = fc.oneof(
  ...(['today', 'first', 'last', 'change', 'cooling-off'] as const).flatMap((on) => [
    dayAfter(on, -2, 2),
    dayAfter(on, -100, 100),
  ]),
);
const anyProductChanges = fc.record({ rating: fc.option(anyRating), tiers: anyTiers }, { requiredKeys: ['rating'] });

const MINUTES_OF_A_DAY = 1440;
const minutes = fc.oneof(...[3, 3, 60, 60, 400].map((most) => fc.nat(most * MINUTES_OF_A_DAY)));

const percents = fc.constantFrom(-100, -100, -100, -50, 10, 100);

const kinds: { readonly [Kind in Step['kind']]: readonly [weight: number, facts: object] } = {
  wait: [6, { minutes }],
  schedule: [3, {}],
  renew: [
    5,
    {
      from: fc.oneof(dayAfter('agreed', 1, 3), dayAfter('agreed', -5, 370), dayAfter('today', -1, 370)),
      request: fc.record({ days, autoRenew: fc.boolean(), change: rarely(renewalChange) }),
    },
  ],
  change: [
    6,
    { changes: fc.array(anyChange, { minLength: 1, maxLength: 2 }), percent: fc.option(percents, { freq: 2 }) },
  ],
  withdraw: [2, { from: fc.oneof(dayAfter('term', 0, 0), dayAfter('term', 0, 0), dayAfter('term', 0, 3)) }],
  cancel: [3, { by: fc.constantFrom('Acme Bank', 'admin'), on: fc.option(anyDay, { freq: 2 }) }],
  reinstate: [4, {}],
  activate: [2, {}],
  decline: [1, {}],
  switch: [2, { autoRenew: fc.boolean() }],
  product: [2, { changes: anyProductChanges }],
  sale: [1, { isWithdrawn: fc.boolean() }],
  import: [2, { row }],
};
const stepOf = (kind: Step['kind'], weight = kinds[kind][0]) => ({
  weight,
  arbitrary: fc.record({ kind: fc.constant(kind), ...(kinds[kind][1] as Record<string, fc.Arbitrary<unknown>>) }),
});
export const anyStep = fc.oneof(
  ...(Object.keys(kinds) as Step['kind'][]).map((kind) => stepOf(kind)),
) as fc.Arbitrary<Step>;
/** A life with many changes, and with few steps that end it. */
const calmStep = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('wait'), minutes: fc.nat(40 * MINUTES_OF_A_DAY) }) },
  stepOf('change', 8),
  stepOf('renew', 1),
  stepOf('cancel', 1),
  stepOf('reinstate', 1),
) as fc.Arbitrary<Step>;

/** A zone on each side of UTC, with and without daylight-saving time, and one where a day begins at 01:00. */
export const anyZone = fc.constantFrom(
  'UTC',
  'Africa/Lagos',
  'America/New_York',
  'America/Santiago',
  'Asia/Kolkata',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
);

export const anyContract: fc.Arbitrary<Contract> = fc.record({
  zone: anyZone,
  product: anyProduct.filter(isPriced),
  beginning: anyBeginning,
});
/** Since 1 January 2027; the second year has a 29 February. */
export const anyMinutes = fc.nat(500 * MINUTES_OF_A_DAY);
export const anyLife = fc.record({
  contract: anyContract,
  minutes: anyMinutes,
  steps: fc.oneof(...[anyStep, calmStep].map((step) => fc.array(step, { maxLength: 20, size: 'max' }))),
});
export type Life = typeof anyLife extends fc.Arbitrary<infer T> ? T : never;
