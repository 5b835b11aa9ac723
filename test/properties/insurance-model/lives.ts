// Any life of a policy: how it begins, and what clients, the back office and the clock do next.
import * as fc from 'fast-check';
import { formatMoney } from '../../../src/domain/values/money.ts';
import { type Change, Refused } from './changes.ts';
import { type Day, localDay, plus } from './days.ts';
import { type ImportedRow, PolicyModel, type Purchase, type Renewal } from './policy.ts';
import { isPriced, type Product, type Rating } from './rating.ts';
import { type Coverage, LARGEST } from './timeline.ts';

/** A day that is counted from one that matters. */
interface AnyDay {
  readonly on: 'today' | 'first day' | 'last day' | 'change';
  readonly offset: number;
}

interface AnyRow {
  /** Counted from today. */
  readonly from: number;
  readonly days: number;
  readonly premium: bigint;
  /** Tax, commission and return premium in per cent of the premium; null: not given. */
  readonly tax: number | null;
  readonly commission: number | null;
  readonly returned: number | null;
  readonly autoRenew: boolean;
  /** Days after the first day of the term, modulo its days. */
  readonly cancelled: number | null;
}

export type Beginning = { readonly by: 'import'; readonly row: AnyRow } | AnyPurchase;

interface AnyPurchase {
  readonly by: 'purchase';
  /** Counted from today. */
  readonly starts: number;
  readonly request: Omit<Purchase, 'from' | 'tier'>;
}

/** Without a rating, or without tiers, a product has none. */
interface ProductChanges {
  readonly rating?: Rating | null;
  readonly tiers?: NonNullable<Product['tiers']>;
}

/** How a policy is sold, or imported. */
export interface Contract {
  readonly zone: string;
  readonly product: Product;
  readonly beginning: Beginning;
}

export type Step =
  | { readonly kind: 'wait'; readonly minutes: number }
  /** The scheduler runs. */
  | { readonly kind: 'schedule' }
  | { readonly kind: 'activate' | 'decline' | 'reinstate' }
  | {
      readonly kind: 'renew';
      readonly after: 'today' | 'last term';
      readonly gap: number;
      readonly request: Omit<Renewal, 'from'>;
    }
  | { readonly kind: 'change'; readonly changes: readonly Change[] }
  /** Takes back a term, counted from the last one; or one that does not exist. */
  | { readonly kind: 'withdraw'; readonly which: number }
  | { readonly kind: 'cancel'; readonly by: 'Acme Bank' | 'admin'; readonly day: AnyDay | null }
  | { readonly kind: 'switch'; readonly autoRenew: boolean }
  | { readonly kind: 'product'; readonly changes: ProductChanges }
  | { readonly kind: 'sale'; readonly isWithdrawn: boolean }
  | { readonly kind: 'import'; readonly row: AnyRow };

// ---- What happens, as the model takes it

/** A step with its days, as the back office, a client or the scheduler sends it. */
export type Command =
  | Exclude<Step, { readonly kind: 'renew' | 'withdraw' | 'cancel' | 'import' }>
  | { readonly kind: 'renew'; readonly renewal: Renewal }
  | { readonly kind: 'withdraw'; readonly from: Day }
  | { readonly kind: 'cancel'; readonly by: string; readonly on: Day | null }
  | { readonly kind: 'import'; readonly row: ImportedRow };

export const IMPORTED_COVERAGES: readonly Coverage[] = ['fire', 'theft'].map((coverage_name) => {
  return { coverage_name, coverage_type: null, coverage_limit: null, deductible: null };
});

/** An import makes the product. */
const IMPORTED_PRODUCT: Product = { base_premium: '0.00' };

export function rowOf({ from, days, premium, ...row }: AnyRow, today: Day): ImportedRow {
  const first = plus(today, from);
  const part = (percent: number | null) => (percent === null ? null : (premium * BigInt(percent)) / 100n);
  return {
    ...{ from: first, through: plus(first, days - 1), premium, tax: part(row.tax), commission: part(row.commission) },
    ...{ coverages: IMPORTED_COVERAGES, autoRenew: row.autoRenew },
    returnPremium: row.cancelled === null ? null : part(row.returned),
    cancelledOn: row.cancelled === null ? null : plus(first, row.cancelled % days),
  };
}

/** What the model says of a command: the code of its refusal, or what the answer has. */
export interface Expected<Answer = object> {
  readonly code?: string;
  readonly answer?: Answer;
}

function expectedOf<Answer>(run: () => Answer): Expected<Answer> {
  try {
    return { answer: run() };
  } catch (error) {
    if (error instanceof Refused) return { code: error.code };
    throw error;
  }
}

export function begin({ zone, product, beginning }: Contract, now: string): Expected<PolicyModel> {
  const today = localDay(now, zone);
  return expectedOf(() => {
    if (beginning.by === 'import') return PolicyModel.import(zone, IMPORTED_PRODUCT, rowOf(beginning.row, today), now);
    return PolicyModel.purchase(zone, product, purchaseOf(product, beginning, today), now);
  });
}

export function purchaseOf({ tiers }: Product, { starts, request }: AnyPurchase, today: Day): Purchase {
  return { ...request, from: plus(today, starts), tier: tiers?.[0]?.tier_name ?? null };
}

function withChanges({ rating: old, ...product }: Product, { rating = old ?? null, ...rest }: ProductChanges): Product {
  return { ...product, ...rest, ...(rating === null ? {} : { rating }) };
}

/** Returns the command of a step. Its days count from what the scheduler owes the policy by today. */
export function commandOf(model: PolicyModel, step: Step, now: string): Command {
  const today = localDay(now, model.zone);
  switch (step.kind) {
    case 'renew': {
      model.settle(now);
      const from = plus(step.after === 'today' ? today : model.last.through, step.gap);
      return { kind: 'renew', renewal: { ...step.request, from } };
    }
    case 'withdraw':
      return { kind: 'withdraw', from: model.state.terms.at(-1 - step.which)?.from ?? '2001-01-01' };
    case 'cancel':
      return { kind: 'cancel', by: step.by, on: step.day && dayOf(model, step.day, today) };
    case 'import':
      return { kind: 'import', row: rowOf(step.row, today) };
    default:
      return step;
  }
}

/** Returns the day that is meant, of the last term that has begun or of the last change. */
function dayOf(model: PolicyModel, { on, offset }: AnyDay, today: Day): Day {
  const term = model.agreed.findLast(({ from }) => from <= today) ?? model.last;
  const days = { today, 'first day': term.from, 'last day': term.through, change: model.state.changedOn ?? today };
  return plus(days[on], offset);
}

export function take(model: PolicyModel, command: Command, now: string): Expected {
  return expectedOf(() => takeCommand(model, command, now) ?? {});
}

function takeCommand(model: PolicyModel, command: Command, now: string): object | void {
  switch (command.kind) {
    case 'wait':
      return;
    case 'schedule':
      return model.settle(now);
    case 'renew':
      return model.renew(command.renewal, now);
    case 'change':
      return model.change(command.changes, now);
    case 'withdraw':
      return model.withdraw(command.from, now);
    case 'cancel':
      return model.cancel(command.by, command.on, now);
    case 'switch':
      return model.setAutoRenew(command.autoRenew, now);
    case 'product':
      return model.updateProduct(withChanges(model.product, command.changes));
    case 'sale':
      model.isProductWithdrawn = command.isWithdrawn;
      return;
    case 'import':
      return model.importTerm(command.row, now);
    default:
      return model[command.kind](now);
  }
}

// ---- Any life

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
  { weight: 1, arbitrary: fc.constant(365) },
);

/** Members that fast-check leaves out are absent. */
const some = (members: Record<string, fc.Arbitrary<unknown>>) => fc.record(members, { requiredKeys: [] });

export const anyRating = some({
  rate: fc.record({ field: fc.constant('vehicle_value'), percent: percentages }),
  loadings: fc.array(
    fc.oneof(
      fc.record({
        ...{ field: fc.constant('vehicle_usage'), equals: fc.constantFrom('Commercial', 'Private') },
        ...{ percent: fc.constantFrom('20', '-10.5', '-100', '33.333'), label: fc.constant('Use') },
      }),
      fc.record({
        ...{ field: fc.constant('vehicle_value'), at_least: fc.constantFrom('100', '50000') },
        ...{ amount: money(-50_000n, 50_000n), label: fc.constant('Value') },
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
      cooling_off_days: fc.integer({ min: 0, max: 60 }),
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
      starts: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 366 })),
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
    ...{ there: fc.nat(4), other: fc.nat(7), isOther: fc.nat(5) },
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

const anyDay: fc.Arbitrary<AnyDay> = fc.record({
  on: fc.constantFrom('today', 'first day', 'last day', 'change'),
  offset: fc.oneof(fc.integer({ min: -2, max: 2 }), fc.integer({ min: -100, max: 100 })),
});

const anyProductChanges = fc.record({ rating: fc.option(anyRating), tiers: anyTiers }, { requiredKeys: ['rating'] });

const MINUTES_OF_A_DAY = 1440;
const only = <Kind extends Step['kind']>(kind: Kind) => ({ kind: fc.constant(kind) });

export const anyStep = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      ...only('wait'),
      minutes: fc.oneof(...[3, 3, 60, 60, 400].map((most) => fc.nat(most * MINUTES_OF_A_DAY))),
    }),
  },
  { weight: 3, arbitrary: fc.record(only('schedule')) },
  {
    weight: 5,
    arbitrary: fc.record({
      ...only('renew'),
      after: fc.constantFrom('today' as const, 'last term' as const, 'last term' as const),
      gap: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: -5, max: 370 })),
      request: fc.record({ days, autoRenew: fc.boolean(), change: rarely(renewalChange) }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ ...only('change'), changes: fc.array(anyChange, { minLength: 1, maxLength: 3 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ ...only('withdraw'), which: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(4)) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ...only('cancel'),
      by: fc.constantFrom('Acme Bank' as const, 'admin' as const),
      day: fc.option(anyDay, { freq: 2 }),
    }),
  },
  { weight: 4, arbitrary: fc.record(only('reinstate')) },
  { weight: 2, arbitrary: fc.record(only('activate')) },
  { weight: 1, arbitrary: fc.record(only('decline')) },
  { weight: 2, arbitrary: fc.record({ ...only('switch'), autoRenew: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ ...only('product'), changes: anyProductChanges }) },
  { weight: 1, arbitrary: fc.record({ ...only('sale'), isWithdrawn: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ ...only('import'), row }) },
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
  steps: fc.array(anyStep, { maxLength: 20, size: 'max' }),
});
export type Life = typeof anyLife extends fc.Arbitrary<infer T> ? T : never;

/** Returns the instant of a beginning. */
export function firstNow(minutes: number): string {
  return new Date(Date.parse('2027-01-01T00:00:00Z') + minutes * 60_000).toISOString();
}

/** Returns the instant after a step. */
export function nowAfter(now: string, step: Step): string {
  const minutes = step.kind === 'wait' ? step.minutes : 0;
  return new Date(Date.parse(now) + minutes * 60_000).toISOString();
}
