import { addDays } from '../domain/values/dates.ts';
import type { Day } from '../event-sourcing/time.ts';
import { customerMetadata } from './people.ts';
import { PRODUCTS } from './products.ts';
import { PURCHASES, type SamplePurchase } from './purchases.ts';
import type { Run } from './run.ts';

/** Requests quotes and buys a policy of every product, in the environment that `inEnvironment` fills in. */
export async function buyPolicies(run: Run, inEnvironment: Run, today: Day): Promise<void> {
  for (const purchase of PURCHASES) await buyPolicy(run, inEnvironment, purchase, today);
}

async function buyPolicy(run: Run, inEnvironment: Run, purchase: SamplePurchase, today: Day): Promise<void> {
  const { name, holder, customerTold, wanted, starts, afterwards } = purchase;
  const customer = { customer_metadata: customerMetadata(holder) };
  const first = customerTold === 'with the request';
  const quoteCode = await quoteFor(inEnvironment, purchase, first ? customer : {}, today);
  const policy = await inEnvironment(`buy ${name}`, 'PurchasePolicy', {
    quote_code: quoteCode,
    ...(first ? {} : customer),
    // What begins at once is told no day: a sample that is finished the next day would name one in the past.
    ...(starts === undefined ? {} : { effective_from: addDays(today, starts) }),
    ...wanted,
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
    default:
  }
}

/** The code of the first quote of the product. */
async function quoteFor(run: Run, purchase: SamplePurchase, customer: object, today: Day): Promise<string> {
  const { name, product, risk } = purchase;
  const productType = PRODUCTS.find((each) => each.name === product)?.product_type;
  const { quotes } = await run(`quote ${name}`, 'RequestQuotes', {
    ...customer,
    insurance_details: { product_type: productType, additional_information: risk(today) },
  });
  const offered = (quotes as readonly { readonly product: string; readonly quote_code: string }[]).find(
    (quote) => quote.product === product,
  );
  if (offered === undefined) throw new Error(`the sample has no quote of ${product}`);
  return offered.quote_code;
}
