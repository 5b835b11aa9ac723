import { z } from 'zod';
import { type PersonEvent, type PersonState, person, personStream } from '#domain/person/person.ts';
import { refusalsOf } from '#domain/refusals.ts';
import { emailAddress } from '#domain/values/email.ts';
import type { NewEvent } from '#event-sourcing/event.ts';
import { defineCommand } from '../command.ts';
import { changeOfPerson, personName, rightsErrors, rightsFields, rightsOf } from './person-fields.ts';
import { findByEmail } from './person-identity.ts';

const refuse = refusalsOf('person_already_added');

const input = z.strictObject({ name: personName, email: emailAddress, ...rightsFields });

function decideAddPerson(
  _state: undefined,
  added: Omit<PersonState, 'isRemoved' | 'sessionsEnded' | 'signIn'>,
): NewEvent<PersonEvent>[] {
  return [{ type: 'PersonAdded', data: added }];
}

function alreadyAdded() {
  return refuse('person_already_added', 'A person with this e-mail address was added already');
}

export const addPerson = defineCommand({
  name: 'AddPerson',
  summary: 'Adds a person who works with Surety, with a role.',
  description:
    'Adds a person. A person of the role `merchant` acts for one merchant (`short_code`), one of the role `insurer` for one insurer (`provider_id`). `authority` bounds what an insurer or a claims handler decides; with `access: read` the person changes nothing. The e-mail address is unique among persons who are not removed.',
  input,
  example: {
    name: 'Ada Obi',
    email: 'ada.obi@surety.example',
    role: 'claims',
    authority: { currency: 'NGN', approve_up_to: '500000.00', pay_up_to: '500000.00' },
  },
  response: changeOfPerson.response,
  errors: [...refuse.codes, ...rightsErrors],
  roles: ['admin'],
  creates: true,
  aggregate: person,
  decide: decideAddPerson,
  handle: async ({ name, email, ...rights }, context) => {
    const personId = context.derive('person');
    const target = personStream(personId);
    const details = await rightsOf(context, rights);
    const { holder, reservation: numbered } = await findByEmail(context, email);
    // Of this person where the command is repeated.
    if (holder !== undefined && holder.stream !== target) throw alreadyAdded();
    const reservation = { ...numbered, target, tags: {} };
    const decision = { target, events: decideAddPerson(undefined, { personId, name, email, ...details }), tags: {} };
    const writes = context.commit({ ...decision, reservations: [reservation] });
    if ((await writes.reserve(reservation)).kind === 'taken') throw alreadyAdded();
    return decision;
  },
  result: changeOfPerson.result,
});
