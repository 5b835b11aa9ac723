import { z } from 'zod';
import type { Aggregate } from '#event-sourcing/aggregate.ts';
import { defineEvent, type EventOf, type RecordedEvent } from '#event-sourcing/event.ts';
import { uuid } from '#event-sourcing/identifiers.ts';
import { personal } from '../values/fields.ts';
import { accessSchema, authoritySchema, ROLES } from '../values/rights.ts';

export const personStream = (personId: string): string => `person-${personId}`;

const details = {
  name: personal(z.string(), 'person'),
  role: z.enum(ROLES),
  merchant: z
    .object({ merchantId: uuid, shortCode: z.string() })
    .nullable()
    .describe('The merchant for which a person of the role merchant acts.'),
  providerId: uuid.nullable().describe('The insurer for which a person of the role insurer acts.'),
  authority: authoritySchema.nullable().describe('Null: without a bound.'),
  access: accessSchema,
};
const detailsSchema = z.object(details);
export type PersonDetails = z.infer<typeof detailsSchema>;

const PersonAdded = defineEvent('PersonAdded.v1', 'A person who works with Surety was added.', {
  personId: uuid,
  email: personal(z.string(), 'person'),
  ...details,
});

export const PersonUpdated = defineEvent('PersonUpdated.v1', 'Name or rights of a person were changed.', {
  personId: uuid,
  changes: detailsSchema
    .partial()
    .extend({ signIn: z.null().optional().describe('The account that signs in was forgotten.') })
    .describe('The new values only.'),
});

export const PersonRemoved = defineEvent(
  'PersonRemoved.v1',
  'A person was removed: the keys of the person have ended.',
  {
    personId: uuid,
    reason: personal(z.string(), 'person'),
  },
);

export const PersonSessionsEnded = defineEvent('PersonSessionsEnded.v1', 'All sessions of a person were ended.', {
  personId: uuid,
});

export const PersonSignedIn = defineEvent(
  'PersonSignedIn.v1',
  'A person signed in by OpenID Connect for the first time. From then on this account signs the person in, whatever its e-mail address.',
  { personId: uuid, issuer: z.string(), subject: personal(z.string(), 'person') },
);

export const PersonTicketIssued = defineEvent(
  'PersonTicketIssued.v1',
  'A ticket was issued, with which the person, or who else has it, signs in once within an hour.',
  { personId: uuid },
);

const EVENTS = [
  PersonAdded,
  PersonUpdated,
  PersonRemoved,
  PersonSessionsEnded,
  PersonSignedIn,
  PersonTicketIssued,
] as const;
export type PersonEvent = EventOf<(typeof EVENTS)[number]>;

/** An account of an issuer of OpenID Connect: its `sub` there. */
export interface SignIn {
  readonly issuer: string;
  readonly subject: string;
}

export interface PersonState extends PersonDetails {
  readonly personId: string;
  readonly email: string;
  readonly isRemoved: boolean;
  /** How often the sessions of the person were ended: a session of a lower number has ended. */
  readonly sessionsEnded: number;
  /** The account that signs in; null before the first time. */
  readonly signIn: SignIn | null;
}

function evolve(state: PersonState | undefined, event: RecordedEvent<PersonEvent>): PersonState {
  if (event.type === 'PersonAdded') {
    const { effectiveAt: _, ...added } = event.data;
    return { ...added, isRemoved: false, sessionsEnded: 0, signIn: null };
  }
  if (state === undefined) throw new Error(`${event.type} in ${event.stream} before the person exists`);
  switch (event.type) {
    case 'PersonUpdated':
      return { ...state, ...(event.data.changes as Partial<PersonState>) };
    case 'PersonRemoved':
      return { ...state, isRemoved: true };
    case 'PersonTicketIssued':
      return state;
    case 'PersonSignedIn': {
      const { issuer, subject } = event.data;
      return { ...state, signIn: { issuer, subject } };
    }
    case 'PersonSessionsEnded':
      return { ...state, sessionsEnded: state.sessionsEnded + 1 };
    default:
      return event satisfies never;
  }
}

export const person: Aggregate<PersonState, PersonEvent> = { category: 'person', events: EVENTS, evolve };
