import { z } from 'zod';
import { type PersonEvent, type PersonState, PersonSignedIn, person, personStream } from '#domain/person/person.ts';
import type { NewEvent } from '#event-sourcing/event.ts';
import { type CommandContext, defineSystemCommand } from '../command.ts';
import { personNotFound, requirePerson } from './person-fields.ts';
import { findByEmail } from './person-identity.ts';

const input = z.strictObject({
  issuer: z.string(),
  subject: z.string(),
  /** Verified by the issuer. */
  email: z.string(),
  /** The person of this account, as the read models have it, which may lag behind the log. */
  candidate: z.uuid().optional(),
});

function decideSignIn(
  { personId, signIn }: PersonState,
  { issuer, subject }: z.output<typeof input>,
): NewEvent<PersonEvent>[] {
  if (signIn === null) return [{ type: PersonSignedIn.type, data: { personId, issuer, subject } }];
  if (signIn.issuer !== issuer || signIn.subject !== subject) throw personNotFound();
  return [];
}

/** Finds the person of an account, and records the account with the first sign-in. */
export const signIn = defineSystemCommand({
  name: 'SignIn',
  summary: 'Finds the person of an account that signs in.',
  process: 'sign-in',
  roles: [],
  input,
  aggregate: person,
  decide: decideSignIn,
  handle: async (account, context) => {
    const target = requirePerson(await context.loadTarget(person, await streamOf(account, context)));
    return { target, events: decideSignIn(target.state, account), tags: {} };
  },
  result: ({ state }) => ({ person_id: state.personId }),
});

/** Returns the stream of the person who has the account, else of the one with the e-mail address. @throws {Refusal} */
async function streamOf(
  { issuer, subject, email, candidate }: z.output<typeof input>,
  context: CommandContext,
): Promise<string> {
  if (candidate !== undefined) {
    const { state, stream } = await context.load(person, personStream(candidate));
    const isSame = state?.signIn?.issuer === issuer && state.signIn.subject === subject;
    if (isSame && !state.isRemoved) return stream;
  }
  const { holder } = await findByEmail(context, email);
  if (holder === undefined) throw personNotFound();
  return holder.stream;
}
