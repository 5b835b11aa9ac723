import { z } from 'zod';
import { type PersonDetails, PersonRemoved, PersonSessionsEnded, PersonUpdated } from '#domain/person/person.ts';
import { ROLES } from '#domain/values/rights.ts';
import { defineChange } from '../command.ts';
import { changesAnything, changesTo, changesToErrors, GIVE_A_CHANGE } from '../shared/changes.ts';
import { resourceId, text } from '../shared/fields.ts';
import {
  changeOfPerson,
  findPersonErrors,
  personName,
  personNotFound,
  rightsErrors,
  rightsFields,
  rightsOf,
} from './person-fields.ts';

export const updatePerson = defineChange({
  ...changeOfPerson,
  name: 'UpdatePerson',
  summary: 'Changes the name or the rights of a person.',
  description:
    'Changes name, role, merchant, insurer, authority or access of a person; keys of the person have the new rights from the next request on. A key of an environment is rejected while the person does not act for its merchant, any other key while the person has the role `merchant`. A new role takes the merchant or the insurer that it needs, and ends those of the old one, and an authority that it does not take; `authority: null` takes the bounds away. The e-mail address stays.',
  input: z
    .strictObject({
      person_id: resourceId,
      name: personName,
      ...rightsFields,
      release_sign_in: z.boolean().optional().meta({
        description:
          'Removes the account of the first sign-in: that of the next sign-in with the e-mail address counts',
      }),
    })
    .partial({ name: true, role: true })
    .refine(changesAnything('person_id'), GIVE_A_CHANGE),
  example: { person_id: 'b63747e4-3c66-542a-b59f-e230e6673c9d', access: 'read' },
  errors: [...findPersonErrors, ...rightsErrors, ...changesToErrors],
  lookUp: async ({ person_id: _, name: __, release_sign_in: ___, ...rights }, context, { state }) => ({
    rights: await rightsOf(context, rights, state),
  }),
  decide(state, { name, rights, release_sign_in: releases }) {
    const changes = changesTo<PersonDetails & { readonly signIn: null }>(
      { ...state, signIn: state.signIn as null },
      {
        name,
        ...rights,
        ...(releases === true && { signIn: null }),
      },
    );
    return [{ type: PersonUpdated.type, data: { personId: state.personId, changes } }];
  },
});

export const removePerson = defineChange({
  ...changeOfPerson,
  name: 'RemovePerson',
  summary: 'Removes a person; the keys of the person are rejected from the next request on.',
  description:
    'Removes a person permanently, with immediate effect on all keys of the person. What the person did keeps the name. The e-mail address is free for another person.',
  input: z.strictObject({ person_id: resourceId, reason: text(2000) }),
  example: { person_id: '1d7f6faf-eeef-59e4-9cfa-0c2997b0c12e', reason: 'Left the company' },
  errors: findPersonErrors,
  decide: ({ personId }, { reason }) => [{ type: PersonRemoved.type, data: { personId, reason } }],
});

export const endSessions = defineChange({
  ...changeOfPerson,
  name: 'EndSessions',
  summary: 'Ends all sessions of a person; keys of the person stay.',
  description:
    'Ends the sessions that were opened by then, from the next request on. Administrators end those of everyone; all others, and who has `access: read`, their own.',
  input: z.strictObject({ person_id: resourceId }),
  example: { person_id: 'b63747e4-3c66-542a-b59f-e230e6673c9d' },
  errors: findPersonErrors,
  roles: ROLES,
  isOwn: true,
  find: async (input, context) => {
    const { actor, rights } = context;
    const mayEndAll = actor.role === 'admin' && rights?.access !== 'read';
    if (!mayEndAll && actor.personId !== input.person_id) throw personNotFound();
    return await changeOfPerson.find(input, context);
  },
  decide: ({ personId }) => [{ type: PersonSessionsEnded.type, data: { personId } }],
});
