import { adminCommands } from '#cli/admin-commands.ts';
import { dayOf } from '#event-sourcing/time.ts';
import type { Json } from '#http/reference/openapi/page.ts';
import { createSample } from '#cli/sample/create-sample.ts';
import { quoteWhenCaughtUp } from '#cli/sample/quote-when-caught-up.ts';
import { type ApiService, SECRET } from './api-service.ts';
import { verificationTokens } from '#service/security/verification-token.ts';

type Result = Readonly<Record<string, Json>>;

/**
 * Creates the sample data, and returns the values of it that the examples of the reference contain. They are the same for every
 * start with sample data: their ids derive from the steps of the sample.
 */
export async function createExampleSample({ parts, projector, clock }: ApiService): Promise<Json> {
  const results = new Map<string, Result>();
  const commands = adminCommands(parts.commandPorts, 'sample');
  const recording: typeof commands = {
    ...commands,
    run: async (name, body, key = '') => {
      const outcome = await commands.run(name, body, key);
      results.set(key.replace('sample ', ''), outcome.result as Result);
      return outcome;
    },
  };
  const tokenOf = verificationTokens(SECRET);
  const caughtUp = quoteWhenCaughtUp(recording, async (position) => void (await projector.waitFor(position, 10_000)));
  const sample = await createSample(caughtUp, dayOf(clock.now), tokenOf);
  const of = (step: string): Result => {
    const result = results.get(step);
    if (result === undefined) throw new Error(`the sample has no step ${step}`);
    return result;
  };
  const [policy, claim, merchant] = [of('live buy pet'), of('live claim pet'), of('merchant')];
  const quotes = (of('live quote open motor')['quotes'] ?? []) as Result[];
  const [document] = (claim['documents'] ?? []) as Result[];
  const claimOf = (step: string): Json => of(step)['claim_id'] ?? '';
  return {
    short_code: sample.shortCode,
    token: tokenOf(merchant['tenant_id'] as string, 1),
    environment_id: sample.live.environmentId,
    provider_id: of('provider Baobab General Insurance')['provider_id'] ?? '',
    product_id: of('product Comprehensive Motor')['product_id'] ?? '',
    quote_code: quotes[0]?.['quote_code'] ?? '',
    policy_id: policy['policy_id'] ?? '',
    policy_number: policy['policy_number'] ?? '',
    customer_id: (policy['policy_holder'] as Result)['customer_id'] ?? '',
    accepted_policy_id: of('live buy motor')['policy_id'] ?? '',
    cancelled_policy_id: of('live buy home')['policy_id'] ?? '',
    waiting_policy_id: of('live buy cargo waiting')['policy_id'] ?? '',
    claim_id: claimOf('live claim pet'),
    document_sha256: document?.['sha256'] ?? '',
    submitted_claim_id: claimOf('live claim 0'),
    reviewed_claim_id: claimOf('live claim 1'),
    pending_claim_id: claimOf('live claim 2'),
    approved_claim_id: claimOf('live claim 3'),
    offered_claim_id: claimOf('live claim 4'),
    accepted_claim_id: claimOf('live claim 5'),
    withdrawable_claim_id: claimOf('live claim 10'),
    paid_claim_id: claimOf('live claim 7'),
    payment_id: of('live claim 7 3 PayClaim')['payment_id'] ?? '',
    test_offered_claim_id: claimOf('test claim 4'),
    deniable_claim_id: claimOf('test claim 1'),
  };
}
