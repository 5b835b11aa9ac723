import { z } from 'zod';
import { type PersonEvent, type PersonState, person, personStream } from '#domain/person/person.ts';
import { refusalsOf } from '#domain/refusals.ts';
import { targetOf } from '#domain/reservations.ts';
import { emailAddress } from '#domain/values/email.ts';
import { sha256 } from '#event-sourcing/identifiers.ts';
import type { NewEvent } from '#event-sourcing/event.ts';
import type { Reservation } from '#event-sourcing/executor/command.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { changeOfPerson, personName, rightsErrors, rightsFields, rightsOf } from './person-fields.ts';

const refuse = refusalsOf('person_already_added');

const input = z.strictObject({ name: personName, email: emailAddress, ...rightsFields });

function decideAddPerson(
  _state: undefined,
  added: Omit<PersonState, 'isRemoved' | 'sessionsEnded'>,
): NewEvent<PersonEvent>[] {
  return [{ type: 'PersonAdded', data: added }];
}

/** The hash stands in place of the address, which is personal. Only ASCII letters are compared without case. */
function emailReservation(email: string, number: number): Reservation {
  const compared = email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return { kind: 'personEmail', scope: 'platform', value: `${number} ${sha256(compared)}` };
}

/**
 * Returns where the address is to be reserved for the person of this stream: reservations are numbered, and those of
 * removed persons are passed over.
 * @throws {Refusal} when another person has it
 */
async function freeReservation(context: CommandContext, email: string, stream: string): Promise<Reservation> {
  for (let number = 0; ; number++) {
    const reservation = emailReservation(email, number);
    const reserved = await context.findReservation(reservation);
    if (reserved === undefined || targetOf(reserved) === stream) return reservation;
    const { state } = await context.load(person, targetOf(reserved));
    if (state?.isRemoved !== true) throw alreadyAdded();
  }
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
    const reservation = { ...(await freeReservation(context, email, target)), target, tags: {} };
    const decision = { target, events: decideAddPerson(undefined, { personId, name, email, ...details }), tags: {} };
    const writes = context.commit({ ...decision, reservations: [reservation] });
    if ((await writes.reserve(reservation)).kind === 'taken') throw alreadyAdded();
    return decision;
  },
  result: changeOfPerson.result,
});
