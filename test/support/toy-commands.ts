import { z } from 'zod';
import { type ExecutedCommand, defineCommand } from '../../src/command-handling/command.ts';
import type { Aggregate } from '../../src/event-sourcing/aggregate.ts';
import { ParkedRetryRequested } from '../../src/event-sourcing/system-events.ts';
import type { EventOf } from '../../src/event-sourcing/event.ts';
import { Refusal } from '../../src/domain/refusals.ts';

type NoteEvent = EventOf<typeof ParkedRetryRequested>;

/** A stream of notes, the smallest aggregate. It borrows an event type that exists. */
const notes: Aggregate<readonly string[], NoteEvent> = {
  category: 'parked',
  events: [ParkedRetryRequested],
  evolve: (written = [], event) => [...written, event.data.key],
};

export const NOTES = 'parked-notes';

const input = z.strictObject({ text: z.string() });

/** Appends a note with the time of its decision; refused after the note `closed`. */
export const writeNote = defineCommand({
  name: 'WriteNote',
  summary: 'Writes a note.',
  input,
  roles: ['admin'],
  inEnvironment: false,
  creates: false,
  handle: async ({ text }, context) => {
    const found = await context.loadTarget(notes, NOTES);
    context.checkIfMatch(found);
    if (found.state?.includes('closed')) throw new Refusal('forbidden', 'no more notes');
    await context.commitTo(NOTES);
    const key = text === 'closed' ? text : `${text} at ${context.now}`;
    await context.append(found, [{ type: 'ParkedRetryRequested', data: { collection: 'notes', key } }], {});
    return { stream: NOTES };
  },
  result: ({ history, events }: ExecutedCommand<NoteEvent>) => ({
    before: history.length - events.length,
    text: events[0]?.data.key,
  }),
});

/** Appends a note with a number of a sequence. */
export const writeNumberedNote = defineCommand({
  name: 'WriteNumberedNote',
  summary: 'Writes a note with a number.',
  input,
  roles: ['admin'],
  inEnvironment: false,
  creates: false,
  handle: async ({ text }, context) => {
    const found = await context.loadTarget(notes, NOTES);
    await context.commitTo(NOTES);
    const number = await context.takeNumber('note');
    const data = { collection: 'notes', key: `${text} ${number}` };
    await context.append(found, [{ type: 'ParkedRetryRequested', data }], {});
    return { stream: NOTES };
  },
  result: ({ events }: ExecutedCommand<NoteEvent>) => ({ text: events[0]?.data.key }),
});

/** Appends a note with random text, like a secret. */
export const writeRandomNote = defineCommand({
  ...writeNote,
  name: 'DrawNote',
  handle: async (_input, context) => {
    const found = await context.loadTarget(notes, NOTES);
    await context.commitTo(NOTES);
    const data = { collection: 'notes', key: `drew ${context.random(1).join()}` };
    await context.append(found, [{ type: 'ParkedRetryRequested', data }], {});
    return { stream: NOTES };
  },
});

/** Appends a note that is identified by its text, like a row of an import. */
export const importNote = defineCommand({
  ...writeNote,
  name: 'TakeOverNote',
  inEnvironment: true,
  identity: ({ text }, environment) => [String(environment?.environmentId), text],
});

/** Writes without `commitTo`. */
export const writeBeforeCommit = defineCommand({
  ...writeNote,
  name: 'WriteTooEarly',
  handle: async (_input, context) => {
    await context.takeNumber('note');
    return { stream: NOTES };
  },
});

/** Writes twice to one stream. */
export const writeTwice = defineCommand({
  ...writeNote,
  name: 'WriteTwice',
  handle: async (_input, context) => {
    await context.commitTo(NOTES);
    const event = { type: 'ParkedRetryRequested', data: { collection: 'notes', key: 'twice' } } as const;
    for (let time = 0; time < 2; time++) await context.append(await context.load(notes, NOTES), [event], {});
    return { stream: NOTES };
  },
});

/** Appends a note; after the note `closed`, only `opened` is allowed. */
export const writeNoteIfOpen = defineCommand({
  ...writeNote,
  name: 'PassDoor',
  changesOneStream: true,
  handle: async ({ text }, context) => {
    const found = await context.loadTarget(notes, NOTES);
    if (found.state?.at(-1) === 'closed' && text !== 'opened') throw new Refusal('forbidden', 'the door is closed');
    await context.commitTo(NOTES);
    const data = { collection: 'notes', key: text };
    await context.append(found, [{ type: 'ParkedRetryRequested', data }], {});
    return { stream: NOTES };
  },
});
