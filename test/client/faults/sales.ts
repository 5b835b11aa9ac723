import type { Policy, QuoteItem, SuretyClient } from '#client/index.ts';

/** Requests as many quotes as purchases are planned, each of a customer with a reference of its own. */
export async function requestQuotes(
  client: SuretyClient,
  references: readonly string[],
): Promise<readonly QuoteItem[]> {
  const quotes: QuoteItem[] = [];
  for (const reference of references) {
    const [quote] = await client.quotes.request({
      customer_metadata: {
        first_name: 'Ada',
        last_name: reference,
        email: `${reference}@customers.example`,
        date_of_birth: '1990-04-12',
      },
      insurance_details: { product_type: 'Life' },
    });
    if (quote === undefined) throw new Error('no product gives a quote');
    quotes.push(quote);
  }
  return quotes;
}

/** Buys the policy of a quote and reads it at once, as an app does that then shows it. */
export async function buyAndRead(
  client: SuretyClient,
  { quote_code }: QuoteItem,
  customer_reference: string,
): Promise<{ readonly bought: Policy; readonly read: Policy }> {
  const bought = await client.policies.purchase({ quote_code, customer_reference });
  return { bought, read: await client.policies.get(bought.policy_id) };
}

/** Returns the items of a list or feed. */
export async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
