// Any life of a policy: how it begins, and what clients, the platform and the clock do next.
import { formatMoney } from '#domain/values/money.ts';
import { type Change, Refused } from './changes.ts';
import { type Day, localDay, plus } from './days.ts';
import { add, ONE, quotient, round, smaller, times, ZERO } from './fractions.ts';
import { PolicyModel } from './policy.ts';
import type { Product, Rating } from './rating.ts';
import type { ImportedRow, Purchase, Renewal } from './requests.ts';
import { type Coverage, LARGEST, lastPeriod } from './timeline.ts';

/**
 * A day that is counted from today, the first or last day of the last term that has begun, the last agreed day, the
 * last change, or the last day of the cooling-off; or the first day of a term, counted back from the last one.
 */
export interface AnyDay {
  readonly on: 'today' | 'first' | 'last' | 'agreed' | 'change' | 'cooling-off' | 'term';
  readonly offset: number;
}

export interface AnyRow {
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

/** What a client, the platform, the scheduler or the clock does next. */
export type Step<When = AnyDay, Row = AnyRow> =
  | { readonly kind: 'wait'; readonly minutes: number }
  | { readonly kind: 'schedule' }
  | { readonly kind: 'activate' | 'decline' | 'reinstate' }
  | { readonly kind: 'renew'; readonly from: When; readonly request: Omit<Renewal, 'from'> }
  /** The last change also adds per cent of the annual price; -100 takes all of it. */
  | { readonly kind: 'change'; readonly changes: readonly Change[]; readonly percent: number | null }
  | { readonly kind: 'withdraw'; readonly from: When }
  | { readonly kind: 'cancel'; readonly by: 'Acme Bank' | 'admin'; readonly on: When | null }
  | { readonly kind: 'switch'; readonly autoRenew: boolean }
  | { readonly kind: 'product'; readonly changes: ProductChanges }
  | { readonly kind: 'sale'; readonly isWithdrawn: boolean }
  | { readonly kind: 'import'; readonly row: Row };

/** A step with its days, as it is sent. */
export type Command = Step<Day, ImportedRow>;

export const IMPORTED_COVERAGES: readonly Coverage[] = ['fire', 'theft'].map((coverage_name) => {
  return { coverage_name, coverage_type: null, coverage_limit: null, deductible: null };
});

/** An import makes the product. */
const IMPORTED_PRODUCT: Product = { base_premium: '0.00' };

export function rowOf({ from, days, premium, ...row }: AnyRow, today: Day): ImportedRow {
  const first = plus(today, from);
  const part = (percent: number | null) => (percent === null ? null : (premium * BigInt(percent)) / 100n);
  return {
    from: first,
    through: plus(first, days - 1),
    premium,
    tax: part(row.tax),
    commission: part(row.commission),
    coverages: IMPORTED_COVERAGES,
    autoRenew: row.autoRenew,
    returnPremium: row.cancelled === null ? null : part(row.returned),
    cancelledOn: row.cancelled === null ? null : plus(first, row.cancelled % days),
  };
}

/** What the model says of a command: the code of its refusal, or what the answer has. */
export interface Expected<Answer = object> {
  readonly code?: string;
  readonly answer?: Answer;
}

/** Runs a command of a model. */
export function expectedOf<Answer>(run: () => Answer): Expected<Answer> {
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
  if (step.kind === 'import') return { ...step, row: rowOf(step.row, today) };
  if (step.kind === 'cancel') return { ...step, on: step.on && dayOf(model, step.on, today) };
  if (step.kind === 'change') return { ...step, changes: withPercent(model, step.changes, step.percent) };
  if (step.kind !== 'renew' && step.kind !== 'withdraw') return step;
  model.settle(now);
  return { ...step, from: dayOf(model, step.from, today) };
}

function withPercent(model: PolicyModel, changes: readonly Change[], percent: number | null): readonly Change[] {
  const [last, others] = [changes.at(-1), changes.slice(0, -1)];
  if (percent === null || last === undefined) return changes;
  const { rates, ...term } = model.last;
  const gross = times(lastPeriod(term).annualNet, add(ONE, rates.tax ?? ZERO));
  const share = smaller(LARGEST, round(times(gross, quotient(Math.abs(percent), 100))));
  return [...others, { ...last, additional_amount: formatMoney(percent < 0 ? -share : share) }];
}

function dayOf(model: PolicyModel, { on, offset }: AnyDay, today: Day): Day {
  // There is no term of that day where there are fewer terms.
  if (on === 'term') return model.state.terms.at(-1 - offset)?.from ?? '2001-01-01';
  const { from: first, through: last } = model.agreed.findLast(({ from }) => from <= today) ?? model.last;
  const days = { today, first, last, agreed: model.last.through, change: model.state.changedOn ?? today };
  if (on === 'cooling-off') return plus(model.coolingOffThrough, offset);
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
      return model.renew({ ...command.request, from: command.from }, now);
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

/** Returns the instant of a beginning. */
export function firstNow(minutes: number): string {
  return new Date(Date.parse('2027-01-01T00:00:00Z') + minutes * 60_000).toISOString();
}

/** Returns the instant after a step. */
export function nowAfter(now: string, step: Step): string {
  const minutes = step.kind === 'wait' ? step.minutes : 0;
  return new Date(Date.parse(now) + minutes * 60_000).toISOString();
}
