import { idOf } from '../../src/event-sourcing/aggregate.ts';
import type { Day } from '../../src/event-sourcing/time.ts';
import { merchantTags } from '../../src/domain/tags.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { merchant, merchantStream } from '../../src/domain/merchant/merchant.ts';
import { parseMoney } from '../../src/domain/values/money.ts';
import {
  overlap,
  type PolicyEvent,
  PolicyImported,
  type PolicyState,
  policy,
  policyStream,
  PolicyTermImported,
  type Term,
} from '../../src/domain/policy/policy.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { targetOf } from '../../src/domain/reservations.ts';
import {
  type ExecutedCommand,
  type CommandContext,
  defineCommand,
  type Handled,
} from '../../src/command-handling/command.ts';
import { type CustomerDetails, customerByEmail } from '../customer/customer-by-email.ts';
import { recordDecision } from '../../src/command-handling/record-decision.ts';
import { policyNumberReservation } from './find-policy.ts';
import { customerOf, identityOfRow, importPolicyTermInput, type PolicyRow, termOf } from './import-row.ts';
import { importedProduct, importedProvider, type PolicyProduct, type PolicyProvider } from './imported-product.ts';
import { tagsOf, idsOf, type PolicyIds } from './policy-ids.ts';

interface ImportFacts {
  readonly ids: PolicyIds;
  readonly policyNumber: string;
  readonly merchantName: string;
  readonly provider: PolicyProvider;
  readonly product: PolicyProduct;
  readonly customer: CustomerDetails;
  readonly currency: string;
  readonly term: Term;
  readonly today: Day;
}

/** A policy that is taken over with its first term (`decisions`: Import). */
export function decideImport(facts: ImportFacts): readonly NewEvent<PolicyEvent>[] {
  const { ids, policyNumber, merchantName, provider, product, customer, currency, term, today } = facts;
  const data = {
    ...ids,
    policyNumber,
    status: statusFor(term, today),
    merchantName,
    holder: { name: customer.fullName, email: customer.email, phone: customer.phone, address: customer.address },
    provider: { id: provider.providerId, name: provider.name, email: provider.supportEmail },
    product: { id: product.productId, name: product.name, type: product.productType },
    coverage: coverageOf(product, term),
    currency,
    renewable: product.renewable,
    inspectionRequired: product.inspectionRequired,
    certificationRequired: product.certificationRequired,
    term,
    effectiveAt: term.from,
  };
  return [{ type: PolicyImported.type, data }];
}

/**
 * A further term of a policy that is there.
 * @throws {Refusal} `term_overlaps`, `policy_already_cancelled`
 */
export function decideFurtherTerm(
  state: PolicyState,
  { term, today }: { readonly term: Term; readonly today: Day },
): readonly NewEvent<PolicyEvent>[] {
  if (state.status === 'cancelled') {
    throw new Refusal('policy_already_cancelled', 'The policy is cancelled and takes no further term');
  }
  const met = state.terms.find((other) => overlap(other, term));
  if (met !== undefined) {
    throw new Refusal('term_overlaps', `The term overlaps the one from ${met.from} through ${met.through}`);
  }
  const status = state.status === 'active' ? 'active' : statusOfAccepted(state, term, today);
  return [{ type: PolicyTermImported.type, data: { ...idsOf(state), status, term, effectiveAt: term.from } }];
}

/** What waits for a person goes on waiting, also when a term of it has begun. */
function statusOfAccepted(state: PolicyState, term: Term, today: Day): 'accepted' | 'active' {
  return state.needsActivation ? 'accepted' : statusFor(term, today);
}

/** Active as soon as a term has begun, and for good (`decisions`: Policies). */
function statusFor(term: Term, today: Day): 'accepted' | 'active' {
  return term.from <= today ? 'active' : 'accepted';
}

/** The product's coverages, or else the guarantees that cost something, by their names. */
function coverageOf(product: PolicyProduct, term: Term): string {
  if (product.coverages.length > 0) return product.coverages.map(({ name }) => name).join(', ');
  return Object.entries(term.premiumParts)
    .filter(([, premium]) => parseMoney(premium) > 0n)
    .map(([guarantee]) => guarantee.replaceAll('_', ' '))
    .join(', ');
}

/** The policy of this number is there, or was begun and not finished: then this row makes it under the id it was given. */
async function importInto(stream: string, row: PolicyRow, context: CommandContext): Promise<Handled> {
  const loaded = await context.loadTarget(policy, stream);
  if (loaded.state === undefined) {
    await context.commitTo(stream);
    return await makePolicy(stream, row, context);
  }
  const events = decideFurtherTerm(loaded.state, { term: termOf(row), today: context.today });
  return await recordDecision(context, loaded, events, tagsOf(loaded.state));
}

/** Makes what the policy refers to, then the policy. */
async function makePolicy(stream: string, row: PolicyRow, context: CommandContext): Promise<Handled> {
  const { merchantId, environmentId, testMode } = context.environment;
  const [{ state: owner }, [provider, product], customer] = await Promise.all([
    context.load(merchant, merchantStream(merchantId)),
    providerAndProduct(row, context),
    customerByEmail(context, customerOf(row)),
  ]);
  if (owner === undefined) throw new Error('an environment belongs to a merchant who was never registered');
  const policyId = idOf(stream);
  const ids = { policyId, merchantId, environmentId, testMode, customerId: customer.customerId };
  const events = decideImport({
    ids,
    policyNumber: row.policy_number,
    merchantName: owner.name,
    provider,
    product,
    customer: customerOf(row),
    currency: row.currency,
    term: termOf(row),
    today: context.today,
  });
  await context.create(stream, events, tagsOf(ids));
  return { stream };
}

async function providerAndProduct(
  row: PolicyRow,
  context: CommandContext,
): Promise<readonly [PolicyProvider, PolicyProduct]> {
  const provider = await importedProvider(context, row.provider_name);
  const imported = { name: row.product_name, type: row.product_type, currency: row.currency };
  return [provider, await importedProduct(context, provider.providerId, imported)];
}

export const importPolicyTerm = defineCommand({
  name: 'ImportPolicyTerm',
  summary: 'Takes over one term of a policy of another book; the same row again changes nothing.',
  input: importPolicyTermInput,
  roles: ['admin'],
  inEnvironment: true,
  creates: true,
  identity: identityOfRow,
  handle: async (row, context) => {
    const number = policyNumberReservation(context, row.policy_number);
    const reserved = await context.findReservation(number);
    if (reserved !== undefined) return await importInto(targetOf(reserved), row, context);
    const stream = policyStream(context.derive('policy'));
    await context.commitTo(stream);
    const tags = { ...merchantTags(context.environment), policy: idOf(stream) };
    const outcome = await context.reserve({ ...number, target: stream, tags });
    if (outcome.kind === 'ours') return await makePolicy(stream, row, context);
    return await importInto(targetOf(outcome.by), row, context);
  },
  result: ({ own }: ExecutedCommand<PolicyEvent>) => ({ policy_id: own.at(-1)?.data.policyId }),
});
