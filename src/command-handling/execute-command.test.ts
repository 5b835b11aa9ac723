import { beforeEach, describe, expect, test } from '@jest/globals';
import { CommandHarness } from '../../test/support/command-harness.ts';
import { NOTES, takeOverNote, writeNote, writeTooEarly, writeTwice } from '../../test/support/toy-commands.ts';
import type { CommandOutcome } from './request.ts';

let h: CommandHarness;
beforeEach(() => {
  h = new CommandHarness();
});

/** What a repeated answer has in common with the first. */
function answerOf({ commandId, stream, revision, position, events, result }: CommandOutcome) {
  return { commandId, stream, revision, position, ids: events.map(({ id }) => id), result };
}

describe('A command without an idempotency key', () => {
  test('acts every time it is given, and reserves nothing', async () => {
    await h.run(writeNote, { text: 'a' });
    await h.run(writeNote, { text: 'a' });
    const log = await h.log();
    expect(log.map(({ stream }) => stream)).toEqual([NOTES, NOTES]);
    expect(new Set(log.map(({ metadata }) => metadata.command.id)).size).toBe(2);
  });

  test('tells who did it, when, for which request, and where it stands', async () => {
    const outcome = await h.run(writeNote, { text: 'a' }, { requestId: 'req-1' });
    const [event] = await h.events(NOTES);
    expect(event?.metadata).toEqual({
      recordedAt: '2026-03-01T10:00:00.000Z',
      $correlationId: 'req-1',
      $causationId: outcome.commandId,
      requestId: 'req-1',
      actor: { role: 'admin', keyId: 'adminKey' },
      command: { name: 'WriteNote', id: outcome.commandId },
    });
    expect(event?.data).toMatchObject({ effectiveAt: '2026-03-01' });
    expect(outcome).toMatchObject({ stream: NOTES, revision: 0, position: 1n, created: false, replayed: false });
    expect(outcome.result).toEqual({ before: 0, text: 'a at 2026-03-01T10:00:00.000Z' });
  });
});

describe('A command with an idempotency key', () => {
  test('given again answers the same and changes nothing, whatever happened meanwhile', async () => {
    const first = await h.run(writeNote, { text: 'a' }, { key: 'k' });
    await h.run(writeNote, { text: 'b' });
    h.now = '2026-03-02T10:00:00.000Z';
    const before = await h.log();
    const again = await h.run(writeNote, { text: 'a' }, { key: 'k' });
    expect(answerOf(again)).toEqual(answerOf(first));
    expect([first.replayed, again.replayed]).toEqual([false, true]);
    expect(await h.log()).toEqual(before);
    expect(h.pausedMs).toBe(0);
  });

  test('refuses the key for another body', async () => {
    await h.run(writeNote, { text: 'a' }, { key: 'k' });
    const before = await h.log();
    expect(await h.refusal(writeNote, { text: 'b' }, { key: 'k' })).toMatchObject({ code: 'idempotency_key_reused' });
    expect(await h.log()).toEqual(before);
  });

  test('looks at the key before If-Match and before any state', async () => {
    const first = await h.run(writeNote, { text: 'a' }, { key: 'k' });
    await h.run(writeNote, { text: 'closed' });
    const again = await h.run(writeNote, { text: 'a' }, { key: 'k', ifMatch: [7] });
    expect(answerOf(again)).toEqual(answerOf(first));
    const reused = await h.refusal(writeNote, { text: 'b' }, { key: 'k', ifMatch: [7] });
    expect(reused.code).toBe('idempotency_key_reused');
  });

  test('is not used up by a refusal', async () => {
    await h.run(writeNote, { text: 'a' });
    const before = await h.log();
    expect((await h.refusal(writeNote, { text: 'b' }, { key: 'k', ifMatch: [5] })).code).toBe('precondition_failed');
    expect(await h.log()).toEqual(before);
    expect((await h.run(writeNote, { text: 'other' }, { key: 'k', ifMatch: [0] })).replayed).toBe(false);
  });

  test('is not used up by what no event can hold, counted in bytes', async () => {
    const text = 'Ω'.repeat(600_000);
    expect(await h.refusal(writeNote, { text }, { key: 'k' })).toMatchObject({ code: 'event_too_large' });
    expect(await h.log()).toEqual([]);
    await h.run(writeNote, { text: text.slice(0, 500_000) }, { key: 'k' });
    expect(await h.events(NOTES)).toHaveLength(1);
  });

  test('acts once when it comes many times at once, and everybody gets the same answer', async () => {
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => h.run(writeNote, { text: 'a' }, { key: 'k' })));
    expect(await h.events(NOTES)).toHaveLength(1);
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome.result))).size).toBe(1);
    expect(outcomes.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect((await h.log()).filter(({ type }) => type === 'IdempotencyRecorded')).toHaveLength(1);
  });

  test('lets one of two bodies win when they come at once', async () => {
    const ends = await Promise.allSettled([
      h.run(writeNote, { text: 'a' }, { key: 'k' }),
      h.run(writeNote, { text: 'b' }, { key: 'k' }),
    ]);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const lost = ends.find((end) => end.status === 'rejected');
    expect(lost?.reason).toMatchObject({ code: 'idempotency_key_reused' });
    expect(await h.events(NOTES)).toHaveLength(1);
  });
});

describe('A record of a key without its event', () => {
  async function dieAfterTheRecord(): Promise<void> {
    h.eventStore.beforeAppend = (stream) => {
      if (stream === NOTES) throw new Error('killed');
    };
    await expect(h.run(writeNote, { text: 'a' }, { key: 'k' })).rejects.toThrow('killed');
    h.eventStore.beforeAppend = () => {};
    expect((await h.log()).map(({ type }) => type)).toEqual(['IdempotencyRecorded']);
  }

  test('is carried out by the retry, judged at the time of the record, recorded at the time it happens', async () => {
    await dieAfterTheRecord();
    h.now = '2026-03-05T08:00:00.000Z';
    const outcome = await h.run(writeNote, { text: 'a' }, { key: 'k' });
    expect(outcome).toMatchObject({ replayed: false, result: { text: 'a at 2026-03-01T10:00:00.000Z' } });
    const [event] = await h.events(NOTES);
    expect(event?.metadata.recordedAt).toBe('2026-03-05T08:00:00.000Z');
    expect(event?.data).toMatchObject({ effectiveAt: '2026-03-05' });
    expect(h.pausedMs).toBe(0);
  });

  test('is judged anew and may be refused', async () => {
    await dieAfterTheRecord();
    await h.run(writeNote, { text: 'closed' });
    expect((await h.refusal(writeNote, { text: 'a' }, { key: 'k' })).code).toBe('forbidden');
    expect(await h.events(NOTES)).toHaveLength(1);
  });

  test('refuses another body all the same', async () => {
    await dieAfterTheRecord();
    expect((await h.refusal(writeNote, { text: 'b' }, { key: 'k' })).code).toBe('idempotency_key_reused');
  });

  test('is waited for, two seconds from the record at most, while its command may still be under way', async () => {
    await dieAfterTheRecord();
    h.now = '2026-03-01T10:00:00.500Z';
    await h.run(writeNote, { text: 'a' }, { key: 'k' });
    expect(h.pausedMs).toBe(1500);
  });
});

describe('A command that is its own identity', () => {
  test('acts once, without a record, with a key or without', async () => {
    const first = await h.run(takeOverNote, { text: 'row 1' });
    const again = await h.run(takeOverNote, { text: 'row 1' }, { key: 'k' });
    const other = await h.run(takeOverNote, { text: 'row 2' }, { key: 'k' });
    expect(answerOf(again)).toEqual(answerOf(first));
    expect([first.replayed, again.replayed, other.replayed]).toEqual([false, true, false]);
    expect((await h.log()).map(({ stream }) => stream)).toEqual([NOTES, NOTES]);
  });

  test('acts once when it comes many times at once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => h.run(takeOverNote, { text: 'row 1' })));
    expect(await h.events(NOTES)).toHaveLength(1);
    expect(new Set(outcomes.map(({ revision }) => revision))).toEqual(new Set([0]));
  });
});

describe('A command that is written wrongly', () => {
  test('cannot write before it has accepted', async () => {
    await expect(h.run(writeTooEarly, { text: 'a' })).rejects.toThrow('writes before it has accepted');
    expect(await h.log()).toEqual([]);
  });

  test('cannot write twice to one stream, for the ids would be the same', async () => {
    await expect(h.run(writeTwice, { text: 'a' })).rejects.toThrow('writes twice');
  });
});
