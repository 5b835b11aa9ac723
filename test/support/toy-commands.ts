import { z } from 'zod';
import type { Decision } from '#event-sourcing/executor/command.ts';
import { defineCommand } from '#commands/command.ts';
import type { Aggregate } from '#event-sourcing/aggregate.ts';
import { ParkedRetryRequested } from '#event-sourcing/system-events.ts';
import type { EventOf, NewEvent } from '#event-sourcing/event.ts';
import { Refusal } from '#domain/refusals.ts';

type NoteEvent = EventOf<typeof ParkedRetryRequested>;

/** A stream of notes, the smallest aggregate. It borrows an event type that exists. */
export const notes: Aggregate<readonly string[], NoteEvent> = {
  category: 'parked',
  events: [ParkedRetryRequested],
  evolve: (written = [], event) => [...written, event.data.key],
};

export const NOTES = 'parked-notes';

const input = z.strictObject({ text: z.string() });

function decideNote(
  state: readonly string[] | undefined,
  { text, now }: { readonly text: string; readonly now: string },
) {
  if (state?.includes('closed')) throw new Refusal('policy_not_active', 'no more notes');
  return [noteWritten(text === 'closed' ? text : `${text} at ${now}`)];
}

function noteWritten(key: string): NewEvent<NoteEvent> {
  return { type: 'ParkedRetryRequested', data: { collection: 'notes', key } };
}

/** What the API reference would show. */
const reference = { description: 'Writes a note.', errors: ['policy_not_active'], example: { text: 'a' } } as const;

/** Appends a note with the time of its decision; refused after the note `closed`. */
export const writeNote = defineCommand({
  ...reference,
  name: 'WriteNote',
  summary: 'Writes a note.',
  input,
  roles: ['admin'],
  takesIfMatch: true,
  aggregate: notes,
  decide: decideNote,
  handle: async ({ text }, context) => {
    const found = await context.loadTarget(notes, NOTES);
    context.checkIfMatch(found);
    return { target: found, events: decideNote(found.state, { text, now: context.now }), tags: {} };
  },
  result: ({ state, events }) => ({
    before: state.length - events.length,
    text: events[0]?.data.key,
  }),
});

/** Appends a note with a number of a sequence. */
export const writeNumberedNote = defineCommand({
  ...reference,
  name: 'WriteNumberedNote',
  summary: 'Writes a note with a number.',
  input,
  roles: ['admin'],
  aggregate: notes,
  decide: (_state, { text }: { readonly text: string }) => [noteWritten(text)],
  handle: async ({ text }, context) => {
    const found = await context.loadTarget(notes, NOTES);
    const decide = (number: number): Decision => ({
      target: found,
      events: [noteWritten(`${text} ${number}`)],
      tags: {},
    });
    const writes = context.commit(decide(1));
    return decide(await writes.takeNumber('note'));
  },
  result: ({ events }) => ({ text: events[0]?.data.key }),
});

/** Appends a note with random text, like a secret. */
export const writeRandomNote = defineCommand({
  ...writeNote,
  name: 'DrawNote',
  handle: async (_input, context) => {
    const found = await context.loadTarget(notes, NOTES);
    return { target: found, events: [noteWritten(`drew ${context.services.randomBytes(1).join()}`)], tags: {} };
  },
});

/** Appends a note that is identified by its text, like a row of an import. */
export const importNote = defineCommand({
  ...writeNote,
  name: 'TakeOverNote',
  inEnvironment: true,
  identity: ({ text }, environment) => [String(environment?.environmentId), text],
});

/** Writes twice to one stream. */
export const writeTwice = defineCommand({
  ...writeNote,
  name: 'WriteTwice',
  handle: async (_input, context) => {
    const decision = { target: NOTES, events: [noteWritten('twice')], tags: {} };
    const writes = context.commit(decision);
    await writes.append(NOTES, decision.events, {});
    return decision;
  },
});

/** Appends a note; after the note `closed`, only `opened` is allowed. */
export const writeNoteIfOpen = defineCommand({
  ...writeNote,
  name: 'PassDoor',
  changesOneStream: true,
  handle: async ({ text }, context) => {
    const found = await context.loadTarget(notes, NOTES);
    if (found.state?.at(-1) === 'closed' && text !== 'opened')
      throw new Refusal('policy_not_active', 'the door is closed');
    return { target: found, events: [noteWritten(text)], tags: {} };
  },
});
