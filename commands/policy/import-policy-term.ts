import { idOf } from '../../src/event-sourcing/aggregate.ts';
import type { Day } from '../../src/event-sourcing/time.ts';
import { merchantTags } from '../../src/domain/tags.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import type { CustomerState } from '../../src/domain/customer/customer.ts';
import { merchant, merchantStream } from '../../src/domain/merchant/merchant.ts';
import { parseMoney } from '../../src/domain/values/money.ts';
import { waitsForActivation } from '../../src/domain/policy/lifecycle.ts';
import { agreedTerms, overlap, todayOf } from '../../src/domain/policy/cover.ts';
import {
  type PolicyState,
  policy,
  policyIds,
  type PolicyIds,
  policyStream,
  policyTags,
} from '../../src/domain/policy/policy.ts';
import {
  PolicyCancelled,
  type PolicyEvent,
  PolicyImported,
  PolicyTermImported,
} from '../../src/domain/policy/policy-events.ts';
import type { Coverage, Term } from '../../src/domain/policy/term.ts';
import { returnPremiumOf, returnsSomething } from '../../src/domain/policy/term-premium.ts';
import { type ProductState, product as productAggregate, productStream } from '../../src/domain/product/product.ts';
import { dayIn, startOfDay, type TimeZone } from '../../src/domain/values/dates.ts';
import { Refusal, wrongField } from '../../src/domain/refusals.ts';
import { type ReservationEvent, targetOf } from '../../src/domain/reservations.ts';
import type { Decision, InputReservation, Writes } from '../../src/command-handling/command.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { type CustomerDetails, customerByEmail } from '../customer/customer-by-email.ts';
import { recordDueChanges } from './due-changes.ts';
import { policyNumberReservation } from './find-policy.ts';
import {
  cancellationOf,
  checkNotInFuture,
  customerOf,
  identityOfRow,
  importPolicyTermInput,
  type PolicyRow,
  type RowCancellation,
  termOf,
} from './import-row.ts';
import type { Reference } from '../shared/reference.ts';
import { timeZoneOf } from '../shared/acting-environment.ts';
import {
  type ImportedProduct,
  importedProduct,
  importedProvider,
  type PolicyProduct,
  type PolicyProvider,
} from './imported-product.ts';

interface ImportCommand {
  readonly ids: PolicyIds;
  readonly policyNumber: string;
  readonly timeZone: TimeZone;
  readonly merchantName: string;
  readonly provider: PolicyProvider;
  readonly product: PolicyProduct;
  readonly customer: CustomerDetails;
  readonly currency: string;
  readonly term: Term;
  readonly cancellation?: RowCancellation | undefined;
  /** In the time zone. */
  readonly today: Day;
}

/** Imports a policy with its first term. @throws {Refusal} `invalid_request` for a cancellation in the future */
function decideImport(details: ImportCommand): readonly NewEvent<PolicyEvent>[] {
  const { ids, policyNumber, timeZone, merchantName, provider, product, customer, currency, term, today } = details;
  checkNotInFuture({ cancelled_on: details.cancellation?.on }, today);
  const data = {
    ...ids,
    policyNumber,
    timeZone,
    status: statusFor(term, today),
    merchantName,
    holder: { name: customer.fullName, email: customer.email, phone: customer.phone, address: customer.address },
    provider: { id: provider.providerId, name: provider.name, email: provider.supportEmail },
    product: { id: product.productId, name: product.name, type: product.productType },
    currency,
    renewable: product.renewable,
    inspectionRequired: product.inspectionRequired,
    certificationRequired: product.certificationRequired,
    term: { ...term, coverages: [...coveragesOf(product, term)] },
    effectiveAt: term.from,
  };
  return [{ type: PolicyImported.type, data }, ...cancellationEvents({ ...ids, timeZone }, term, details.cancellation)];
}

/**
 * Imports an additional term of a policy.
 * @throws {Refusal} `term_overlaps`, `policy_already_cancelled`; `invalid_request` for a cancellation that cannot be
 */
export function decideAdditionalTerm(
  state: PolicyState,
  { term, cancellation, today }: Pick<ImportCommand, 'term' | 'cancellation' | 'today'>,
): readonly NewEvent<PolicyEvent>[] {
  checkNotInFuture({ cancelled_on: cancellation?.on }, today);
  if (state.status === 'cancelled') {
    throw new Refusal('policy_already_cancelled', 'The policy is cancelled and takes no further term');
  }
  const overlapping = agreedTerms(state).find((other) => overlap(other, term));
  if (overlapping !== undefined) {
    throw new Refusal(
      'term_overlaps',
      `The term overlaps the one from ${overlapping.from} through ${overlapping.through}`,
    );
  }
  if (cancellation !== undefined) checkCancellation(state, cancellation.on);
  // A purchased policy that waits for ActivatePolicy goes on waiting, whatever is imported.
  const isActive = state.status === 'active' || (!waitsForActivation(state) && statusFor(term, today) === 'active');
  const status = isActive ? 'active' : 'accepted';
  const data = { ...policyIds(state), status, term, effectiveAt: term.from } as const;
  return [{ type: PolicyTermImported.type, data }, ...cancellationEvents(state, term, cancellation)];
}

/** @throws {Refusal} `invalid_request`, naming `cancelled_on` */
function checkCancellation(state: PolicyState, on: Day): void {
  const later = agreedTerms(state).find(({ from }) => from > on);
  if (later !== undefined)
    throw wrongField('cancelled_on', `must not be given: the policy has a later term, from ${later.from}`);
  if (waitsForActivation(state)) throw wrongField('cancelled_on', 'is given for a policy that waits for activation');
}

/** Returns the cancellation of the policy with its last term, the only one of which something can be left to return. */
function cancellationEvents(
  policyDetails: PolicyIds & { readonly timeZone: TimeZone },
  term: Term,
  cancellation: RowCancellation | undefined,
): readonly NewEvent<PolicyEvent>[] {
  if (cancellation === undefined) return [];
  const { on, reason } = cancellation;
  const data = {
    ...policyIds(policyDetails),
    cancelledAt: startOfDay(on, policyDetails.timeZone),
    reason,
    initiator: 'import',
    merchantFeedback: null,
    alternativeOfferings: null,
    returned: [returnPremiumOf(term, on)].filter(returnsSomething),
    effectiveAt: on,
  };
  return [{ type: PolicyCancelled.type, data }];
}

/** A policy is active from the start of its first term, until it is cancelled. */
function statusFor(term: Term, today: Day): 'accepted' | 'active' {
  return term.from <= today ? 'active' : 'accepted';
}

/** Returns the coverages that the row names, else the product's, else the guarantees with a premium. */
function coveragesOf(product: Pick<PolicyProduct, 'coverages'>, term: Term): readonly Coverage[] {
  if (term.coverages.length > 0) return term.coverages;
  if (product.coverages.length > 0) return product.coverages.map(({ name, type, limit }) => ({ name, type, limit }));
  return Object.entries(term.premiumParts)
    .filter(([, premium]) => parseMoney(premium) > 0n)
    .map(([guarantee]) => ({ name: guarantee.replaceAll('_', ' '), type: null, limit: null }));
}

/** Adds the term to the policy of this stream, or creates the policy when only its number is reserved yet. */
async function addTerm(stream: string, row: PolicyRow, context: CommandContext): Promise<Decision> {
  const loaded = await recordDueChanges(context, await context.loadTarget(policy, stream));
  if (loaded.state === undefined) return await createPolicy(stream, row, context);
  const { currency } = loaded.state;
  if (row.currency !== currency) throw wrongField('currency', `must be ${currency}, the currency of the policy`);
  const term = termOf(row);
  const product = term.coverages.length === 0 ? await loadProduct(loaded.state, context) : undefined;
  const coverages = [...coveragesOf(product ?? { coverages: [] }, term)];
  const today = todayOf(loaded.state, context.now);
  const events = decideAdditionalTerm(loaded.state, {
    term: { ...term, coverages },
    cancellation: cancellationOf(row),
    today,
  });
  return { target: loaded, events, tags: policyTags(loaded.state) };
}

async function loadProduct({ product }: PolicyState, context: CommandContext): Promise<ProductState | undefined> {
  return (await context.load(productAggregate, productStream(product.id))).state;
}

/** Reserves the number, registers the customer, the provider and the product where they are missing, then decides. */
async function createPolicy(
  stream: string,
  row: PolicyRow,
  context: CommandContext,
  number?: InputReservation,
): Promise<Decision> {
  const { merchantId, environmentId, testMode } = context.environment;
  const timeZone = await timeZoneOf(context);
  const today = dayIn(timeZone, context.now);
  const [term, holder] = [termOf(row), customerOf(row)];
  const [{ state: owner }, [provider, product], customer] = await Promise.all([
    context.load(merchant, merchantStream(merchantId)),
    providerAndProduct(row, context),
    customerByEmail(context, holder, today),
  ]);
  if (owner === undefined) throw new Error('an import has a merchant');
  const decide = (
    [policyProvider, policyProduct]: readonly [PolicyProvider, PolicyProduct],
    { customerId }: CustomerState,
  ): Decision => {
    const ids = { policyId: idOf(stream), merchantId, environmentId, testMode, customerId };
    const events = decideImport({
      ids,
      policyNumber: row.policy_number,
      timeZone,
      merchantName: owner.name,
      provider: policyProvider,
      product: policyProduct,
      customer: holder,
      currency: row.currency,
      term,
      cancellation: cancellationOf(row),
      today,
    });
    return { target: stream, events, tags: policyTags(ids) };
  };
  const references = [provider, product, customer];
  const decision = decide([provider.details, product.details], customer.details);
  const writes = context.commit({
    ...decision,
    reservations: [...(number === undefined ? [] : [number]), ...references.flatMap((each) => each.reservations)],
    referenced: references.flatMap((each) => each.appends),
  });
  const reserved = number && (await writes.reserve(number));
  if (reserved?.kind === 'taken') return await addTerm(targetOf(reserved.by), row, context);
  const registered = await Promise.all([
    registerProviderAndProduct(provider, product, row, context, writes),
    customer.register(writes),
  ]);
  const [[registeredProvider, registeredProduct], registeredCustomer] = registered;
  const asPlanned =
    registeredProvider === provider.details &&
    registeredProduct === product.details &&
    registeredCustomer === customer.details;
  return asPlanned ? decision : decide(...registered);
}

async function providerAndProduct(
  row: PolicyRow,
  context: CommandContext,
): Promise<readonly [Reference<PolicyProvider>, Reference<PolicyProduct>]> {
  const provider = await importedProvider(context, row.provider_name);
  return [provider, await importedProduct(context, provider.details, productOf(row))];
}

async function registerProviderAndProduct(
  provider: Reference<PolicyProvider>,
  product: Reference<PolicyProduct>,
  row: PolicyRow,
  context: CommandContext,
  writes: Writes<ReservationEvent>,
): Promise<readonly [PolicyProvider, PolicyProduct]> {
  const registered = await provider.register(writes);
  if (registered.providerId === provider.details.providerId) return [registered, await product.register(writes)];
  // An administrator has registered the provider in the meantime, under another id.
  const ofRegistered = await importedProduct(context, registered, productOf(row));
  return [registered, await ofRegistered.register(writes)];
}

function productOf(row: PolicyRow): ImportedProduct {
  return { name: row.product_name, type: row.product_type, currency: row.currency };
}

/** Imports a policy with its first term, or another term of a policy. @throws {Refusal} as the deciders of both */
function decideTermImport(state: PolicyState | undefined, details: ImportCommand): readonly NewEvent<PolicyEvent>[] {
  return state === undefined ? decideImport(details) : decideAdditionalTerm(state, details);
}

export const importPolicyTerm = defineCommand({
  name: 'ImportPolicyTerm',
  summary: 'Imports one term of a policy of another book; sending the same row again changes nothing.',
  input: importPolicyTermInput,
  roles: ['admin'],
  inEnvironment: true,
  creates: true,
  identity: identityOfRow,
  aggregate: policy,
  decide: decideTermImport,
  handle: async (row, context) => {
    const number = policyNumberReservation(context, row.policy_number);
    const reserved = await context.findReservation(number);
    if (reserved !== undefined) return await addTerm(targetOf(reserved), row, context);
    const stream = policyStream(context.derive('policy'));
    const tags = { ...merchantTags(context.environment), policy: idOf(stream) };
    return await createPolicy(stream, row, context, { ...number, target: stream, tags });
  },
  result: ({ events }) => ({ policy_id: events.at(-1)?.data.policyId }),
});
