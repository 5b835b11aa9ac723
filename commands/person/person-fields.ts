import { z } from 'zod';
import { type PersonDetails, type PersonState, person, personStream } from '#domain/person/person.ts';
import { refusalsOf, wrongField } from '#domain/refusals.ts';
import { type Authority, accessSchema, ROLES } from '#domain/values/rights.ts';
import { canonicalMoney, moneyNotNegativeInput } from '#domain/values/money.ts';
import { provider, providerStream } from '#domain/provider/provider.ts';
import type { CommandContext } from '../command.ts';
import { findMerchant, findMerchantErrors } from '../merchant/find-merchant.ts';
import { findProviderErrors } from '../provider/confirm-and-withdraw.ts';
import { currencyCode, line, resourceId, shortCodeField } from '../shared/fields.ts';
import { type ExistingStream, requireExisting } from '../shared/require-existing.ts';

const refuse = refusalsOf('person_not_found', 'person_removed', 'provider_not_found');
export const findPersonErrors = ['person_not_found', 'person_removed'] as const;
export const rightsErrors = [...findMerchantErrors, ...findProviderErrors];

const bound = moneyNotNegativeInput.optional();
const reserveBound = bound.meta({ description: 'Bounds nothing yet, because claims have no reserves' });
export const authorityInput = z
  .strictObject({ currency: currencyCode, approve_up_to: bound, pay_up_to: bound, reserve_up_to: reserveBound })
  .meta({ description: 'Up to which amounts an `insurer` or `claims` role decides; without it there is no limit' });
export const accessInput = accessSchema.meta({ description: '`read`: changes nothing' });

/** Input of the rights of a person. */
export const rightsFields = {
  role: z.enum(ROLES),
  short_code: shortCodeField.optional().meta({ description: 'The merchant of a person with the role `merchant`' }),
  provider_id: resourceId.optional().meta({ description: 'The insurer of a person with the role `insurer`' }),
  authority: authorityInput.nullable().optional(),
  access: accessInput.optional(),
};
export const personName = line(255);

type Rights = Omit<PersonDetails, 'name'>;
const rightsInput = z.object(rightsFields).partial();
type RightsInput = z.output<typeof rightsInput>;

/**
 * Returns the rights that an input asks for, on top of the current ones.
 * @throws {Refusal} when a role lacks its merchant or insurer, has that of another role, or takes no authority
 */
export async function rightsOf(context: CommandContext, input: RightsInput, current?: Rights): Promise<Rights> {
  const role = input.role ?? current?.role;
  if (role === undefined) throw new Error('a person has a role');
  const { short_code, provider_id, access = current?.access ?? 'full' } = input;
  if (role !== 'merchant' && short_code !== undefined) throw wrongField('short_code', 'is for the role `merchant`');
  if (role !== 'insurer' && provider_id !== undefined) throw wrongField('provider_id', 'is for the role `insurer`');
  const takesAuthority = role === 'insurer' || role === 'claims';
  const authority = input.authority === undefined ? (current?.authority ?? null) : authorityOf(input.authority);
  if (!takesAuthority && (input.authority ?? null) !== null)
    throw wrongField('authority', 'is for the roles `insurer` and `claims`');
  const merchant = short_code === undefined ? (current?.merchant ?? null) : await merchantNamed(context, short_code);
  const providerId =
    provider_id === undefined ? (current?.providerId ?? null) : await existingProvider(context, provider_id);
  if (role === 'merchant' && merchant === null) throw wrongField('short_code', 'must be given for the role `merchant`');
  if (role === 'insurer' && providerId === null)
    throw wrongField('provider_id', 'must be given for the role `insurer`');
  return {
    role,
    merchant: role === 'merchant' ? merchant : null,
    providerId: role === 'insurer' ? providerId : null,
    authority: takesAuthority ? authority : null,
    access,
  };
}

/** Returns the stored form of an authority. */
export function authorityOf(input: z.output<typeof authorityInput> | null): Authority | null {
  if (input === null) return null;
  const { currency, approve_up_to: approve, pay_up_to: pay, reserve_up_to: reserve } = input;
  const stored = (amount: string | undefined) => (amount === undefined ? null : canonicalMoney(amount));
  return { currency, approveUpTo: stored(approve), payUpTo: stored(pay), reserveUpTo: stored(reserve) };
}

async function merchantNamed(context: CommandContext, shortCode: string): Promise<PersonDetails['merchant']> {
  const { state } = await findMerchant(context, shortCode);
  return { merchantId: state.tenantId, shortCode: state.shortCode };
}

/** Returns the id of an insurer that exists. @throws {Refusal} */
export async function existingProvider(context: CommandContext, providerId: string): Promise<string> {
  const loaded = await context.load(provider, providerStream(providerId));
  requireExisting(loaded, () => refuse('provider_not_found', `There is no provider ${providerId}`));
  return providerId;
}

/** Returns a person who was not removed. @throws {Refusal} */
export function requirePerson(loaded: Awaited<ReturnType<typeof loadPerson>>): ExistingStream<PersonState> {
  const found = requireExisting(loaded, personNotFound);
  if (found.state.isRemoved) throw refuse('person_removed', 'The person was removed');
  return found;
}

export function personNotFound() {
  return refuse('person_not_found', 'There is no such person');
}

export async function loadPerson(context: CommandContext, personId: string) {
  return await context.load(person, personStream(personId));
}

/** What the commands that change a person have in common. */
export const changeOfPerson = {
  response: z.strictObject({ person_id: z.uuid() }),
  roles: ['admin'],
  aggregate: person,
  find: async ({ person_id: personId }: { readonly person_id: string }, context: CommandContext) =>
    requirePerson(await context.loadTarget(person, personStream(personId))),
  result: ({ state }: { readonly state: PersonState }) => ({ person_id: state.personId }),
} as const;
