import { addDays, dayAfter } from '#domain/values/dates.ts';
import type { ProductType } from '#domain/product/product.ts';
import { RISKS } from './risks.ts';
import type { Service } from './service-process.ts';
import { waitUntil } from './wait-until.ts';

type Commands = Pick<Service, 'run'>;

interface Bought {
  readonly policy_id: string;
  readonly effective_from: string;
  readonly effective_through: string;
}

interface Step {
  readonly command: string;
  /** Members of its body besides the policy. */
  readonly body?: (policy: Bought, today: string) => object;
}

/** A policy from its purchase on. */
interface Life {
  readonly type: ProductType;
  /** Days from today to the first day of cover. */
  readonly starts?: number;
  readonly days?: number;
  readonly steps: readonly Step[];
}

const reason = { reason: 'As agreed' };
const activate: Step = { command: 'ActivatePolicy' };
const decline: Step = { command: 'DeclinePolicy', body: () => reason };
const reinstate: Step = { command: 'ReinstatePolicy', body: () => reason };
const change: Step = {
  command: 'ChangePolicy',
  body: () => ({ changes: [{ action: 'add', coverage_name: 'Glass', additional_amount: '12.00' }] }),
};
/**
 * @param after days after today on which cover ends; the day is left out for today, which is also that of a policy that
 * is not in force.
 */
const cancel = (after?: number): Step => ({
  command: 'CancelPolicy',
  body: (_policy, today) => ({
    cancellation_reason: 'Sold',
    ...(after === undefined ? {} : { effective_on: addDays(today, after) }),
  }),
});
/** @param gap days without cover before the new term */
const renew = (days: number, gap = 0): Step => ({
  command: 'RenewPolicy',
  body: ({ effective_through }) => ({
    preferred_policy_start_date: addDays(effective_through, 1 + gap),
    policy_duration: days,
  }),
});
const withdraw: Step = {
  command: 'WithdrawTerm',
  body: ({ effective_through }) => ({ ...reason, from: dayAfter(effective_through) }),
};

/** Products of the type Cargo wait for an inspection. */
const LIVES: readonly Life[] = [
  { type: 'Home', steps: [] },
  { type: 'Home', starts: 20, steps: [] },
  { type: 'PetCare', days: 30, steps: [renew(60)] },
  { type: 'PetCare', days: 30, steps: [renew(60, 15), change] },
  { type: 'Home', days: 20, steps: [renew(365), withdraw] },
  { type: 'Home', steps: [change] },
  { type: 'PetCare', steps: [cancel()] },
  { type: 'PetCare', steps: [cancel(40)] },
  { type: 'Home', days: 30, steps: [renew(60), cancel(10)] },
  // Cover never began.
  { type: 'Home', steps: [cancel(-1)] },
  { type: 'Home', steps: [cancel(10), reinstate] },
  { type: 'PetCare', steps: [cancel(40), reinstate, cancel(9)] },
  { type: 'PetCare', starts: 5, steps: [cancel()] },
  { type: 'PetCare', starts: 5, steps: [cancel(), reinstate] },
  { type: 'Home', starts: 3, steps: [decline] },
  { type: 'Cargo', steps: [] },
  { type: 'Cargo', steps: [activate] },
  { type: 'Cargo', starts: 15, days: 90, steps: [activate, renew(30)] },
  { type: 'Cargo', steps: [decline] },
  { type: 'Cargo', steps: [cancel()] },
  { type: 'Cargo', steps: [cancel(), reinstate, activate] },
];

/** Adds the products of which `buyVariedPolicies` buys policies. */
export async function addVariedProducts(service: Commands): Promise<void> {
  const insurer = { name: 'Varied Insurance', support_email: 'help@varied.example', support_phone: '1' };
  const { provider_id } = await service.run('RegisterProvider', insurer);
  for (const type of new Set(LIVES.map((life) => life.type)))
    await service.run('AddProduct', {
      provider_id,
      name: productOf(type),
      description: 'Covers it.',
      product_type: type,
      base_premium: '120.00',
      coverages: [{ coverage_name: 'Basic' }],
      inspection_required: type === 'Cargo',
    });
}

/**
 * Buys a policy for every way in which policies are renewed, changed and ended, and does so by commands of the
 * platform.
 */
export async function buyVariedPolicies(service: Commands, environmentId: unknown): Promise<void> {
  for (const life of LIVES) {
    const policy = await buy(service, environmentId, life);
    for (const { command, body = () => ({}) } of life.steps) {
      const isInEnvironment = ['CancelPolicy', 'ChangePolicy', 'RenewPolicy'].includes(command);
      await service.run(command, {
        policy_id: policy.policy_id,
        ...(isInEnvironment ? { environment_id: environmentId } : {}),
        ...body(policy, today()),
      });
    }
  }
}

/** Returns the present day in UTC. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

function productOf(type: ProductType): string {
  return `Varied ${type}`;
}

async function buy({ run }: Commands, environmentId: unknown, { type, starts = 0, days }: Life): Promise<Bought> {
  const duration = days === undefined ? {} : { policy_duration: days };
  // The product is offered when the catalogue has caught up.
  const quote = await waitUntil(async () => {
    const { quotes } = await run('RequestQuotes', {
      environment_id: environmentId,
      ...duration,
      insurance_details: { product_type: type, additional_information: RISKS[type] },
    });
    return (quotes as readonly { product: string; quote_code: string }[]).find(
      ({ product }) => product === productOf(type),
    );
  });
  return (await run('PurchasePolicy', {
    environment_id: environmentId,
    quote_code: quote.quote_code,
    ...duration,
    effective_from: addDays(today(), starts),
    customer_metadata: { first_name: 'Ada', last_name: 'Obi', email: 'ada@customers.example' },
  })) as unknown as Bought;
}
