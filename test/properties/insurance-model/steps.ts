import * as fc from 'fast-check';
import { LARGEST } from './amounts.ts';

/** The day from which the day of an incident counts: of the last term, or of the cancellation if there was one. */
export type IncidentDay = 'today' | 'first day' | 'last day' | 'day of the end';

/** What a client, the back office or the clock does next. Days count from today, or from the last day of the last term. */
export type Step =
  | { readonly kind: 'wait'; readonly minutes: number }
  /** The scheduler runs. */
  | { readonly kind: 'schedule' }
  | {
      readonly kind: 'renew';
      readonly after: 'today' | 'last term';
      readonly gap: number;
      readonly days: number;
      readonly autoRenew: boolean;
      readonly change: {
        readonly kind: 'additional' | 'modified';
        readonly type: string;
        readonly amount: bigint;
        readonly limit: bigint | null;
        readonly items: readonly string[] | null;
      } | null;
    }
  /** Takes back a term, counted from the last one; or one that does not exist. */
  | { readonly kind: 'withdraw'; readonly which: number }
  | { readonly kind: 'cancel'; readonly by: 'merchant' | 'admin' }
  /** A cancellation of the time before return premiums. */
  | { readonly kind: 'activate' }
  /** An activation of the time before a late one moved the term. */
  | { readonly kind: 'decline' }
  | { readonly kind: 'switch'; readonly autoRenew: boolean }
  | { readonly kind: 'product'; readonly isWithdrawn: boolean }
  /** `cancelled`: after how many days the policy was cancelled, modulo the days of the term. */
  | {
      readonly kind: 'import';
      readonly from: number;
      readonly days: number;
      readonly premium: bigint;
      readonly cancelled: number | null;
    }
  /** Amounts are per cent of the one before; null is left out. */
  | {
      readonly kind: 'claim';
      readonly incident: { readonly on: IncidentDay; readonly offset: number };
      readonly amount: bigint;
      readonly approved: number | null;
      readonly offer: number | null;
      readonly paid: number | null;
    };

/** How the policy begins. */
export type AnyBeginning =
  | {
      readonly by: 'purchase';
      readonly starts: number;
      readonly days: number;
      readonly annual: {
        readonly premium: bigint;
        readonly tax: bigint;
        readonly surcharge: bigint;
        readonly commission: bigint;
      };
      readonly autoRenew: boolean;
      readonly renewable: boolean;
      readonly needsActivation: boolean;
    }
  | {
      readonly by: 'import';
      readonly starts: number;
      readonly days: number;
      readonly premium: bigint;
      readonly cancelled: number | null;
    };

/** Short terms are rare: one of a day can renew a hundred times before the next step. */
const days = fc.oneof(
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 365 }) },
  { weight: 4, arbitrary: fc.integer({ min: 60, max: 365 }) },
);
const coverageTypes = fc.constantFrom('Collision', 'collision', 'Theft', 'Fire', 'Glass', 'Flood');
const cancelled = fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(800) });
const percent = fc.option(fc.integer({ min: 0, max: 100 }));
const MINUTES_OF_A_DAY = 1440;

const kinds: { readonly [Kind in Step['kind']]: readonly [weight: number, facts: object] } = {
  wait: [
    6,
    {
      minutes: fc.oneof(
        fc.integer({ min: 0, max: 3 * MINUTES_OF_A_DAY }),
        fc.integer({ min: 0, max: 400 * MINUTES_OF_A_DAY }),
      ),
    },
  ],
  schedule: [3, {}],
  renew: [
    6,
    {
      after: fc.constantFrom('today', 'last term', 'last term'),
      gap: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: -5, max: 370 })),
      days,
      autoRenew: fc.boolean(),
      change: fc.option(
        fc.record({
          kind: fc.constantFrom('additional', 'modified'),
          type: coverageTypes,
          amount: fc.bigInt({ min: 0n, max: 1_000_000n }),
          limit: fc.option(fc.bigInt({ min: 0n, max: LARGEST })),
          items: fc.option(fc.array(fc.constantFrom('Windscreen', 'Mirrors'), { maxLength: 2 })),
        }),
      ),
    },
  ],
  withdraw: [3, { which: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(4) }) }],
  cancel: [2, { by: fc.constantFrom('merchant', 'admin') }],
  activate: [2, {}],
  decline: [1, {}],
  switch: [2, { autoRenew: fc.boolean() }],
  product: [1, { isWithdrawn: fc.boolean() }],
  import: [
    3,
    {
      from: fc.integer({ min: -800, max: 800 }),
      days: fc.integer({ min: 1, max: 800 }),
      premium: fc.bigInt({ min: 0n, max: LARGEST }),
      cancelled,
    },
  ],
  claim: [
    3,
    {
      incident: fc.record({
        on: fc.constantFrom<IncidentDay>('today', 'first day', 'last day', 'day of the end'),
        offset: fc.oneof(fc.integer({ min: -1, max: 1 }), fc.integer({ min: -200, max: 1 })),
      }),
      amount: fc.bigInt({ min: 0n, max: LARGEST }),
      approved: percent,
      offer: percent,
      paid: percent,
    },
  ],
};

export const anyStep = fc.oneof(
  ...Object.entries(kinds).map(([kind, [weight, facts]]) => ({
    weight,
    arbitrary: fc.record({ kind: fc.constant(kind), ...(facts as Record<string, fc.Arbitrary<unknown>>) }),
  })),
) as fc.Arbitrary<Step>;

const amount = fc.oneof(fc.bigInt({ min: 0n, max: 100_000n }), fc.bigInt({ min: 0n, max: LARGEST }));

export const anyBeginning = fc.oneof(
  fc.record({
    by: fc.constant('purchase'),
    starts: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 366 })),
    days,
    annual: fc.tuple(amount, amount, amount, amount).map(([premium, tax, surcharge, commission]) => ({
      // A part is not larger than the whole.
      premium,
      tax: premium === 0n ? 0n : tax % premium,
      surcharge: premium === 0n ? 0n : surcharge % premium,
      commission: premium === 0n ? 0n : commission % premium,
    })),
    autoRenew: fc.boolean(),
    renewable: fc.constantFrom(true, true, true, false),
    needsActivation: fc.constantFrom(false, false, true),
  }),
  fc.record({
    by: fc.constant('import'),
    starts: fc.integer({ min: -500, max: 200 }),
    days: fc.integer({ min: 1, max: 800 }),
    premium: amount,
    cancelled,
  }),
) as fc.Arbitrary<AnyBeginning>;

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
