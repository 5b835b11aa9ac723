import { z } from 'zod';
import { type PersonEvent, type PersonState, PersonTicketIssued, person, personStream } from '#domain/person/person.ts';
import { emailAddress } from '#domain/values/email.ts';
import type { NewEvent } from '#event-sourcing/event.ts';
import { defineCommand } from '../command.ts';
import { resourceId } from '../shared/fields.ts';
import { findPersonErrors, personNotFound, requirePerson } from './person-fields.ts';
import { findByEmail } from './person-identity.ts';

const ONE = 'give either person_id or email';

function decideIssueTicket({ personId }: PersonState): NewEvent<PersonEvent>[] {
  return [{ type: PersonTicketIssued.type, data: { personId } }];
}

export const issueTicket = defineCommand({
  name: 'IssueTicket',
  summary: 'Issues a ticket, with which a person signs in to the console without a key.',
  description:
    'Issues a ticket of a person, named by id or e-mail address. `/console/#ticket=…` signs in with it, once and within an hour, unless the sessions of the person are ended or the person is removed before. The log shows who issued it. It is shown in this response only, and is null in a repeated response. `surety sign-in` prints the whole address.',
  input: z
    .strictObject({ person_id: resourceId.optional(), email: emailAddress.optional() })
    .superRefine(({ person_id, email }, issues) => {
      if ((person_id === undefined) !== (email === undefined)) return;
      for (const field of ['person_id', 'email']) issues.addIssue({ code: 'custom', path: [field], message: ONE });
    }),
  example: { person_id: 'b63747e4-3c66-542a-b59f-e230e6673c9d' },
  response: z.strictObject({ person_id: z.uuid(), ticket: z.string().nullable() }),
  errors: findPersonErrors,
  roles: ['admin'],
  aggregate: person,
  decide: decideIssueTicket,
  handle: async ({ person_id: personId, email = '' }, context) => {
    const stream = personId === undefined ? (await findByEmail(context, email)).holder?.stream : personStream(personId);
    if (stream === undefined) throw personNotFound();
    const target = requirePerson(await context.loadTarget(person, stream));
    const { now, services, commandId } = context;
    return {
      target,
      events: decideIssueTicket(target.state),
      tags: {},
      unstored: () => ({ ticket: services.signInTicket(target.state, now, commandId) }),
    };
  },
  result: ({ state }) => ({ person_id: state.personId, ticket: null }),
});
