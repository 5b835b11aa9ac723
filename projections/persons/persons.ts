import { z } from 'zod';
import { type Instant, instant } from '#event-sourcing/time.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { sha256 } from '#event-sourcing/identifiers.ts';
import { person, type PersonEvent, type PersonState, type SignIn } from '#domain/person/person.ts';
import { accessSchema, authorityResource, ROLES } from '#domain/values/rights.ts';
import { defineProjection, requireDocument } from '../projection.ts';
import type { ResourceOf } from '../schema.ts';

const bound = z.string().nullable().meta({ description: 'Null: without a bound' });
const reserveBound = bound.meta({ description: 'Bounds nothing yet, because claims have no reserves' });
export const authorityResourceSchema = z
  .strictObject({ currency: z.string(), approve_up_to: bound, pay_up_to: bound, reserve_up_to: reserveBound })
  .nullable()
  .meta({ description: 'Up to which amounts an insurer or a claims handler decides; null: no limit' });

export const personSchema = z
  .strictObject({
    person_id: z.uuid(),
    name: z.string(),
    email: z.string(),
    role: z.enum(ROLES),
    short_code: z.string().nullable().meta({ description: 'The merchant of a person with the role `merchant`' }),
    provider_id: z.uuid().nullable().meta({ description: 'The insurer of a person with the role `insurer`' }),
    authority: authorityResourceSchema,
    access: accessSchema.meta({ description: '`read`: changes nothing' }),
    added_at: instant,
    removed_at: instant.nullable(),
  })
  .meta({ id: 'Person' });

/** Returns what a person is found by who signs in, without the personal id itself. */
export function accountOf({ issuer, subject }: SignIn): string {
  return sha256(JSON.stringify([issuer, subject]));
}

type PersonResource = ResourceOf<typeof personSchema>;

/** The state to which the next event of a person is applied, and of which lists make its resource. */
export interface PersonDocument {
  readonly person: PersonState;
  readonly added_at: Instant;
  readonly removed_at: Instant | null;
}

/** Persons by id, for lists and names: the check of a key reads the stream of its person. */
export const persons = defineProjection<PersonDocument>({
  name: 'persons',
  version: 1,
  categories: ['person'],
  indexNames: ['account'],
  fold: (document, event) => fold(document, event as RecordedEvent<PersonEvent>),
  // The account of a person who was removed may be that of another one.
  indexes: ({ person: { signIn, isRemoved } }) => ({
    account: signIn === null || isRemoved ? null : accountOf(signIn),
  }),
});

function fold(document: PersonDocument | undefined, event: RecordedEvent<PersonEvent>): PersonDocument {
  const at = event.metadata.recordedAt;
  const before = event.type === 'PersonAdded' ? undefined : requireDocument(document, event);
  const { added_at = at, removed_at = null } = before ?? {};
  return {
    person: person.evolve(before?.person, event),
    added_at,
    removed_at: event.type === 'PersonRemoved' ? at : removed_at,
  };
}

export function personResource({ person: state, added_at, removed_at }: PersonDocument): PersonResource {
  return {
    person_id: state.personId,
    name: state.name,
    email: state.email,
    role: state.role,
    short_code: state.merchant?.shortCode ?? null,
    provider_id: state.providerId,
    authority: authorityResource(state.authority),
    access: state.access,
    added_at,
    removed_at,
  };
}
