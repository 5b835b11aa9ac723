import { addDays } from '../domain/values/dates.ts';
import type { Day } from '../event-sourcing/time.ts';
import { customerMetadata } from './people.ts';
import { PRODUCTS } from './products.ts';
import { PURCHASES, type SamplePurchase } from './purchases.ts';

/** Runs a command of the sample. `step` becomes its idempotency key, so that an interrupted sample can be continued. */
export type Run = (step: string, name: string, body: object) => Promise<Readonly<Record<string, unknown>>>;

/** Requests a quote for every purchase and buys its policy, unless only a quote is wanted. `inEnvironment` adds the environment to the body. */
export async function buyPolicies(run: Run, inEnvironment: Run, today: Day): Promise<void> {
  for (const purchase of PURCHASES) await buyPolicy(run, inEnvironment, purchase, today);
}

async function buyPolicy(run: Run, inEnvironment: Run, purchase: SamplePurchase, today: Day): Promise<void> {
  const { name, holder, customerIn, options, starts, afterwards } = purchase;
  const customer = { customer_metadata: customerMetadata(holder) };
  const isInRequest = customerIn === 'request';
  const quoteCode = await quoteFor(inEnvironment, purchase, isInRequest ? customer : {}, today);
  if (purchase.isQuoteOnly === true) return;
  const policy = await inEnvironment(`buy ${name}`, 'PurchasePolicy', {
    quote_code: quoteCode,
    ...(isInRequest ? {} : customer),
    // Without a start day cover starts today; a fixed one would be in the past if the sample is completed the next day.
    ...(starts === undefined ? {} : { effective_from: addDays(today, starts) }),
    ...options,
  });
  const policyId = policy.policy_id;
  switch (afterwards?.command) {
    case 'ActivatePolicy':
      await run(`activate ${name}`, afterwards.command, { policy_id: policyId });
      break;
    case 'RenewPolicy': {
      const start = addDays(String(policy.effective_through), 1);
      const body = { policy_id: policyId, preferred_policy_start_date: start, ...afterwards.body };
      await inEnvironment(`renew ${name}`, afterwards.command, body);
      break;
    }
    case 'CancelPolicy':
      await inEnvironment(`cancel ${name}`, afterwards.command, { policy_id: policyId, ...afterwards.body });
      break;
    case 'SubmitClaim': {
      const claim_details = { ...afterwards.claim, incident_date: policy.effective_from };
      const body = { policy_id: policyId, claim_details, documents: afterwards.documents };
      await inEnvironment(`claim ${name}`, afterwards.command, body);
      break;
    }
    default:
  }
}

async function quoteFor(run: Run, purchase: SamplePurchase, customer: object, today: Day): Promise<string> {
  const { name, product, risk } = purchase;
  const productType = PRODUCTS.find((each) => each.name === product)?.product_type;
  const { quotes } = await run(`quote ${name}`, 'RequestQuotes', {
    ...customer,
    insurance_details: { product_type: productType, additional_information: risk(today) },
  });
  const quote = (quotes as readonly { readonly product: string; readonly quote_code: string }[]).find(
    (each) => each.product === product,
  );
  if (quote === undefined) throw new Error(`the sample has no quote of ${product}`);
  return quote.quote_code;
}
