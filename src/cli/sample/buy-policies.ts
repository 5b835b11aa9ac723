import { addDays } from '#domain/values/dates.ts';
import type { Day } from '#event-sourcing/time.ts';
import { customerMetadata, referenceOf } from './people.ts';
import { PRODUCTS } from './products.ts';
import { type Afterwards, PURCHASES, type SamplePurchase } from './purchases.ts';

/** Runs a command of the sample. `step` becomes its idempotency key, so that an interrupted sample can be continued. */
export type Run = (step: string, name: string, body: object) => Promise<Readonly<Record<string, unknown>>>;

/**
 * Requests a quote for every purchase and buys its policy, unless only a quote is wanted. `inEnvironment` adds the
 * environment to the body.
 */
export async function buyPolicies(run: Run, inEnvironment: Run, today: Day): Promise<void> {
  for (const purchase of PURCHASES) await buyPolicy(run, inEnvironment, purchase, today);
}

async function buyPolicy(run: Run, inEnvironment: Run, purchase: SamplePurchase, today: Day): Promise<void> {
  const { name, holder, customerIn, options, starts, afterwards = [] } = purchase;
  const customer = { customer_metadata: customerMetadata(holder) };
  const isInRequest = customerIn === 'request';
  const quoteCode = await quoteFor(inEnvironment, purchase, isInRequest ? customer : {}, today);
  if (purchase.isQuoteOnly === true) return;
  const policy = await inEnvironment(`buy ${name}`, 'PurchasePolicy', {
    quote_code: quoteCode,
    ...(isInRequest ? {} : customer),
    customer_reference: referenceOf(holder),
    // Without a start day cover starts today; a fixed one would be in the past if the sample is completed the next day.
    ...(starts === undefined ? {} : { effective_from: addDays(today, starts) }),
    ...options,
  });
  for (const next of afterwards) await goOn(run, inEnvironment, { name, policy, next });
}

interface Step {
  readonly name: string;
  /** As the purchase returned it. */
  readonly policy: Readonly<Record<string, unknown>>;
  readonly next: Afterwards;
}

async function goOn(run: Run, inEnvironment: Run, { name, policy, next }: Step): Promise<void> {
  const { policy_id } = policy;
  switch (next.command) {
    case 'ActivatePolicy':
      await run(`activate ${name}`, next.command, { policy_id });
      break;
    case 'RenewPolicy': {
      const start = addDays(String(policy.effective_through), 1);
      const body = { policy_id, preferred_policy_start_date: start, ...next.body };
      await inEnvironment(`renew ${name}`, next.command, body);
      break;
    }
    case 'CancelPolicy':
      await inEnvironment(`cancel ${name}`, next.command, { policy_id, ...next.body });
      break;
    case 'ReinstatePolicy':
      await run(`reinstate ${name}`, next.command, { policy_id, ...next.body });
      break;
    case 'SubmitClaim': {
      const claim_details = { ...next.claim, incident_date: policy.effective_from };
      await inEnvironment(`claim ${name}`, next.command, { policy_id, claim_details, documents: next.documents });
      break;
    }
    default:
      next satisfies never;
  }
}

async function quoteFor(run: Run, purchase: SamplePurchase, customer: object, today: Day): Promise<string> {
  const { name, product, risk, daysOfRisk } = purchase;
  const days = Object.entries(daysOfRisk).map(([member, count]): [string, Day] => [member, addDays(today, count)]);
  const productType = PRODUCTS.find((each) => each.name === product)?.product_type;
  const { quotes } = await run(`quote ${name}`, 'RequestQuotes', {
    ...customer,
    insurance_details: { product_type: productType, additional_information: { ...risk, ...Object.fromEntries(days) } },
  });
  const quote = (quotes as readonly { readonly product: string; readonly quote_code: string }[]).find(
    (each) => each.product === product,
  );
  if (quote === undefined) throw new Error(`the sample has no quote of ${product}`);
  return quote.quote_code;
}
