import { z } from 'zod';
import { idOf } from '#event-sourcing/aggregate.ts';
import type { Day, Instant } from '#event-sourcing/time.ts';
import { merchantTags } from '#domain/tags.ts';
import type { NewEvent } from '#event-sourcing/event.ts';
import type { CustomerState } from '#domain/customer/customer.ts';
import { merchant, type MerchantState, merchantStream } from '#domain/merchant/merchant.ts';
import { parseMoney } from '#domain/values/money.ts';
import { termsNotWithdrawn, lastTerm, statusAtStart, todayOf } from '#domain/policy/cover.ts';
import { cancellationFacts, importedEnding } from '#domain/policy/end.ts';
import {
  type Contract,
  type PolicyState,
  policy,
  policyIds,
  type PolicyIds,
  policyStream,
  policyTags,
} from '#domain/policy/policy.ts';
import { PolicyCancelled, type PolicyEvent, PolicyImported, PolicyTermImported } from '#domain/policy/policy-events.ts';
import {
  type AgreedTerm,
  copiedCoverage,
  type Coverage,
  newCoverage,
  newTerm,
  overlap,
  termIdOf,
} from '#domain/policy/term.ts';
import { importedTerm } from '#domain/policy/timeline.ts';
import { type ProductState, product as productAggregate, productStream } from '#domain/product/product.ts';
import { dayIn, type TimeZone } from '#domain/values/dates.ts';
import { refusalsOf, wrongField } from '#domain/refusals.ts';
import { type ReservationEvent, targetOf } from '#domain/reservations.ts';
import { type Decision, eventIdOf, type InputReservation, type Writes } from '#event-sourcing/executor/command.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { customerOfPolicy, customerOfPolicyErrors } from '../customer/customer-of-policy.ts';
import { recordDueChanges } from './due-changes.ts';
import { checkSameNumber, checkSameNumberErrors, policyNumberReservation } from './find-policy.ts';
import { type PolicyHolder, policyHolder } from './policy-holder.ts';
import {
  cancellationOf,
  checkNotInFuture,
  customerOf,
  identityOfRow,
  importPolicyTermInput,
  type PolicyRow,
  type RowCancellation,
  type RowTerm,
  termOfRow,
} from './import-row.ts';
import type { ReferencedResource } from '../shared/referenced-resource.ts';
import { timeZoneOf } from '../shared/acting-environment.ts';
import {
  type ImportedProduct,
  importedProduct,
  importedProvider,
  type PolicyProduct,
  type PolicyProvider,
} from './imported-product.ts';

const refuse = refusalsOf('term_overlaps', 'policy_already_cancelled');

interface AdditionalTerm {
  readonly term: RowTerm;
  /** Id that the term will have: it follows from its event, which the cancellation of the same append must name. */
  readonly termId: string;
  readonly cancellation: RowCancellation | undefined;
  /** The instant of the import, and its day in the time zone. */
  readonly now: Instant;
  readonly today: Day;
}

interface ImportCommand extends AdditionalTerm {
  readonly ids: PolicyIds;
  readonly policyNumber: string;
  readonly timeZone: TimeZone;
  readonly merchant: Pick<MerchantState, 'name' | 'shortCode'>;
  readonly provider: PolicyProvider;
  readonly product: PolicyProduct;
  readonly holder: PolicyHolder;
}

/**
 * Imports a policy with its first term.
 * @throws {Refusal} for another currency than the product's, a cancellation in the future, and a product that does not
 * renew
 */
function decideImport(details: ImportCommand): readonly NewEvent<PolicyEvent>[] {
  const { ids, policyNumber, timeZone, merchant: seller, provider, product, holder, today } = details;
  checkCurrency(ids.currency, product.currency, 'product');
  checkNotInFuture({ cancelled_on: details.cancellation?.on }, today);
  checkAutoRenew(details.term, product);
  const { term, ...rowDetails } = termFacts({ ...details.term, coverages: coveragesOf(product, details.term) });
  const data = {
    ...ids,
    policyNumber,
    timeZone,
    status: statusAtStart(term.from, today),
    merchantName: seller.name,
    merchantShortCode: seller.shortCode,
    ...holder,
    provider: { id: provider.providerId, name: provider.name, email: provider.supportEmail },
    product: { id: product.productId, name: product.name, type: product.productType },
    renewable: product.renewable,
    inspectionRequired: product.inspectionRequired,
    certificationRequired: product.certificationRequired,
    term,
    autoRenew: renewsAfter(details.term, today),
    ...rowDetails,
    effectiveAt: term.from,
  };
  return [{ type: PolicyImported.type, data }, ...cancellationEvents(ids, { timeZone }, term, details)];
}

/**
 * Imports an additional term of a policy.
 * @throws {Refusal} also for a policy that was bought here, and for what cannot be
 */
function decideAdditionalTerm(state: PolicyState, row: AdditionalTerm): readonly NewEvent<PolicyEvent>[] {
  const { cancellation, today } = row;
  if (!state.contract.isImported) throw wrongField('policy_number', 'is the number of a policy that was bought here');
  checkNotInFuture({ cancelled_on: cancellation?.on }, today);
  checkAutoRenew(row.term, state.contract);
  if (state.end !== null) throw refuse('policy_already_cancelled', 'The policy is cancelled and takes no further term');
  const overlapping = termsNotWithdrawn(state).find((other) => overlap(other, row.term));
  if (overlapping !== undefined) {
    throw refuse('term_overlaps', `The term overlaps the one from ${overlapping.from} through ${overlapping.through}`);
  }
  if (cancellation !== undefined) checkCancellation(state, cancellation.on);
  const { term, ...rowDetails } = termFacts(row.term);
  const data = {
    ...policyIds(state),
    status: state.status === 'active' ? 'active' : statusAtStart(term.from, today),
    term,
    autoRenew: term.from > lastTerm(state).from ? renewsAfter(row.term, today) : state.autoRenew,
    ...rowDetails,
    effectiveAt: term.from,
  } as const;
  return [{ type: PolicyTermImported.type, data }, ...cancellationEvents(state, state.contract, term, row)];
}

/** Returns what events record of the term of a row. */
function termFacts({ coverages, paymentFrequency, risk, premiumParts, from, through, ...price }: RowTerm) {
  return { term: importedTerm({ from, through }, price, coverages), paymentFrequency, risk, premiumParts };
}

/** A term that was over on the day of the import does not renew. */
function renewsAfter({ autoRenew, through }: RowTerm, today: Day): boolean {
  return autoRenew && through >= today;
}

/** @throws {Refusal} naming `currency` */
function checkCurrency(currency: string, expected: string, kind: 'product' | 'policy'): void {
  if (currency !== expected) throw wrongField('currency', `must be ${expected}, the currency of the ${kind}`);
}

/** @throws {Refusal} naming `auto_renew` */
function checkAutoRenew({ autoRenew }: RowTerm, { renewable }: { readonly renewable: boolean }): void {
  if (autoRenew && !renewable) throw wrongField('auto_renew', 'must not be true: the product is not renewable');
}

/** @throws {Refusal} naming `cancelled_on` */
function checkCancellation(state: PolicyState, on: Day): void {
  const later = termsNotWithdrawn(state).find(({ from }) => from > on);
  if (later !== undefined)
    throw wrongField('cancelled_on', `must not be given: the policy has a later term, from ${later.from}`);
}

/** Returns the cancellation of the policy with its last term, the only one of which something can be left to return. */
function cancellationEvents(
  ids: PolicyIds,
  { timeZone }: Pick<Contract, 'timeZone'>,
  term: AgreedTerm,
  { termId, cancellation, now, today }: AdditionalTerm,
): readonly NewEvent<PolicyEvent>[] {
  if (cancellation === undefined) return [];
  const { on, reason, returnPremium } = cancellation;
  const ending = importedEnding(newTerm(term, termId), timeZone);
  const request = { effectiveOn: on, decidedOn: today, returnPremium: returnPremium ?? undefined, now };
  const data = {
    ...policyIds(ids),
    ...cancellationFacts(ending, request),
    reason,
    initiator: 'import',
    merchantFeedback: null,
    alternativeOfferings: null,
  };
  return [{ type: PolicyCancelled.type, data }];
}

/** Returns the coverages that the row names, else the product's, else the guarantees with a premium. */
function coveragesOf(product: Pick<PolicyProduct, 'coverages'>, term: RowTerm): readonly Coverage[] {
  if (term.coverages.length > 0) return term.coverages;
  if (product.coverages.length > 0) return product.coverages.map(copiedCoverage);
  return Object.entries(term.premiumParts)
    .filter(([, premium]) => parseMoney(premium) > 0n)
    .map(([guarantee]) => newCoverage(guarantee.replaceAll('_', ' ')));
}

/** Adds the term to the policy that has the number. @throws {Refusal} */
async function addTermOf(reserved: ReservationEvent, row: PolicyRow, context: CommandContext): Promise<Decision> {
  checkSameNumber(reserved, 'policy_number', row.policy_number);
  return await addTerm(targetOf(reserved), row, context);
}

/** Adds the term to the policy of this stream, or creates the policy when only its number is reserved yet. */
async function addTerm(stream: string, row: PolicyRow, context: CommandContext): Promise<Decision> {
  const loaded = await context.loadTarget(policy, stream);
  if (loaded.state === undefined) return await createPolicy(stream, row, context);
  const target = await recordDueChanges(context, { ...loaded, state: loaded.state });
  const { state } = target;
  checkCurrency(row.currency, state.currency, 'policy');
  const term = termOfRow(row);
  const product = term.coverages.length === 0 ? await loadProduct(state, context) : undefined;
  const coverages = [...coveragesOf(product ?? { coverages: [] }, term)];
  const today = todayOf(state, context.now);
  const events = decideAdditionalTerm(state, {
    term: { ...term, coverages },
    termId: newTermId(context, stream),
    cancellation: cancellationOf(row),
    now: context.now,
    today,
  });
  return { target, events, tags: policyTags(state) };
}

/** Returns the id of the term that the first event of this command in the stream agrees. */
function newTermId({ commandId }: CommandContext, stream: string): string {
  return termIdOf(idOf(stream), eventIdOf(commandId, stream, 0));
}

async function loadProduct({ contract }: PolicyState, context: CommandContext): Promise<ProductState | undefined> {
  return (await context.load(productAggregate, productStream(contract.product.id))).state;
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
  const [term, holder] = [termOfRow(row), customerOf(row)];
  const { state: owner } = await context.load(merchant, merchantStream(merchantId));
  if (owner === undefined) throw new Error('an import has a merchant');
  const [[provider, product], customer] = await Promise.all([
    providerAndProduct(row, context),
    customerOfPolicy(context, { details: holder, merchantShortCode: owner.shortCode, today }),
  ]);
  const decide = (
    [policyProvider, policyProduct]: readonly [PolicyProvider, PolicyProduct],
    { customerId, reference }: CustomerState,
  ): Decision => {
    const ids = { policyId: idOf(stream), merchantId, environmentId, testMode, customerId, currency: row.currency };
    const events = decideImport({
      ids,
      policyNumber: row.policy_number,
      timeZone,
      merchant: owner,
      provider: policyProvider,
      product: policyProduct,
      holder: policyHolder(holder, reference),
      term,
      termId: newTermId(context, stream),
      cancellation: cancellationOf(row),
      now: context.now,
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
  // First: it may refuse, and a row whose number is reserved is imported by its completion.
  const reservedCustomer = await customer.reserve(writes);
  const reserved = number && (await writes.reserve(number));
  if (reserved?.kind === 'taken') return await addTermOf(reserved.by, row, context);
  const registeredCustomer = await reservedCustomer.register(writes);
  const catalogue = await registerProviderAndProduct(provider, product, row, context, writes);
  const [registeredProvider, registeredProduct] = catalogue;
  const asPlanned =
    registeredProvider === provider.details &&
    registeredProduct === product.details &&
    registeredCustomer === customer.details;
  return asPlanned ? decision : decide(catalogue, registeredCustomer);
}

async function providerAndProduct(
  row: PolicyRow,
  context: CommandContext,
): Promise<readonly [ReferencedResource<PolicyProvider>, ReferencedResource<PolicyProduct>]> {
  const provider = await importedProvider(context, row.provider_name);
  return [provider, await importedProduct(context, provider.details, productOfRow(row))];
}

async function registerProviderAndProduct(
  provider: ReferencedResource<PolicyProvider>,
  product: ReferencedResource<PolicyProduct>,
  row: PolicyRow,
  context: CommandContext,
  writes: Writes,
): Promise<readonly [PolicyProvider, PolicyProduct]> {
  const registered = await provider.register(writes);
  if (registered.providerId === provider.details.providerId) return [registered, await product.register(writes)];
  // An administrator has registered the provider in the meantime, under another id.
  const ofRegistered = await importedProduct(context, registered, productOfRow(row));
  return [registered, await ofRegistered.register(writes)];
}

function productOfRow(row: PolicyRow): ImportedProduct {
  return { name: row.product_name, type: row.product_type, currency: row.currency };
}

/** Imports a policy with its first term, or another term of a policy. @throws {Refusal} as the deciders of both */
function decideTermImport(state: PolicyState | undefined, details: ImportCommand): readonly NewEvent<PolicyEvent>[] {
  return state === undefined ? decideImport(details) : decideAdditionalTerm(state, details);
}

export const importPolicyTerm = defineCommand({
  name: 'ImportPolicyTerm',
  summary: 'Imports one term of a policy of another book; sending the same row again changes nothing.',
  description: `Imports one term of a policy from another system: rows with the same number are successive terms. Members \`risk_…\` and \`premium_…\` are stored with the term. \`cancelled_on\` records a cancellation with the term. The command id is derived from the row, so
repeating a row changes nothing. Missing providers, products and customers are created.`,
  input: importPolicyTermInput,
  example: {
    provider_name: 'Baobab General Insurance',
    product_type: 'Auto',
    currency: 'NGN',
    policy_number: 'MOT-2026-001',
    product_name: 'Fleet Motor',
    customer_reference: 'C-1001',
    customer_name: 'Emeka Nwosu',
    customer_email: 'emeka.nwosu@customers.example',
    term_from: '2026-01-01',
    term_through: '2026-12-31',
    premium: '36500.00',
    risk_vehicle_make: 'Honda',
  },
  response: z.strictObject({ policy_id: z.uuid() }),
  errors: [...checkSameNumberErrors, ...refuse.codes, ...customerOfPolicyErrors],
  roles: ['admin'],
  inEnvironment: true,
  creates: true,
  identity: identityOfRow,
  aggregate: policy,
  decide: decideTermImport,
  handle: async (row, context) => {
    const number = policyNumberReservation(context.environment, row.policy_number);
    const reserved = await context.findReservation(number);
    if (reserved !== undefined) return await addTermOf(reserved, row, context);
    const stream = policyStream(context.derive('policy'));
    const tags = { ...merchantTags(context.environment), policy: idOf(stream) };
    return await createPolicy(stream, row, context, { ...number, target: stream, tags });
  },
  result: ({ events }) => ({ policy_id: events.at(-1)?.data.policyId }),
});
