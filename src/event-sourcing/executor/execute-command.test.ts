import { beforeEach, describe, expect, test } from '@jest/globals';
import { CommandHarness } from '#test/support/command-harness.ts';
import { NOTES, importNote, writeNote, writeTwice } from '#test/support/toy-commands.ts';
import type { CommandOutcome } from './request.ts';

let h: CommandHarness;
beforeEach(() => {
  h = new CommandHarness();
});

/** The members that are equal in the outcomes of a repeated command. */
function responseOf({ commandId, stream, revision, position, events, result }: CommandOutcome) {
  return { commandId, stream, revision, position, ids: events.map(({ id }) => id), result };
}

describe('A command without an idempotency key', () => {
  test('executes every request and writes no record', async () => {
    await h.run(writeNote, { text: 'a' });
    await h.run(writeNote, { text: 'a' });
    const log = await h.log();
    expect(log.map(({ stream }) => stream)).toEqual([NOTES, NOTES]);
    expect(new Set(log.map(({ metadata }) => metadata.command.id)).size).toBe(2);
  });

  test('records actor, time and request in the metadata and returns revision and position', async () => {
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
    const [stored] = await h.eventStore.readStream(NOTES);
    expect(Object.keys(stored?.metadata ?? {})).toEqual(['recordedAt', 'requestId', 'actor', 'command']);
    expect(event?.data).toMatchObject({ effectiveAt: '2026-03-01' });
    expect(outcome).toMatchObject({ stream: NOTES, revision: 0, position: 1n, created: false, replayed: false });
    expect(outcome.result).toEqual({ before: 0, text: 'a at 2026-03-01T10:00:00.000Z' });
  });
});

describe('A command with an idempotency key', () => {
  test('returns the recorded outcome for a repeated request and changes nothing', async () => {
    const first = await h.run(writeNote, { text: 'a' }, { key: 'k' });
    await h.run(writeNote, { text: 'b' });
    h.now = '2026-03-02T10:00:00.000Z';
    const before = await h.log();
    const again = await h.run(writeNote, { text: 'a' }, { key: 'k' });
    expect(responseOf(again)).toEqual(responseOf(first));
    expect([first.replayed, again.replayed]).toEqual([false, true]);
    expect(await h.log()).toEqual(before);
    expect(h.pausedMs).toBe(0);
  });

  test('rejects the key with another body', async () => {
    await h.run(writeNote, { text: 'a' }, { key: 'k' });
    const before = await h.log();
    expect(await h.expectRefusal(writeNote, { text: 'b' }, { key: 'k' })).toMatchObject({
      code: 'idempotency_key_reused',
    });
    expect(await h.log()).toEqual(before);
  });

  test('checks the key before If-Match and before the state', async () => {
    const first = await h.run(writeNote, { text: 'a' }, { key: 'k' });
    await h.run(writeNote, { text: 'closed' });
    const again = await h.run(writeNote, { text: 'a' }, { key: 'k', ifMatch: [7] });
    expect(responseOf(again)).toEqual(responseOf(first));
    const reused = await h.expectRefusal(writeNote, { text: 'b' }, { key: 'k', ifMatch: [7] });
    expect(reused.code).toBe('idempotency_key_reused');
  });

  test('checks If-Match only if it is declared to take it', async () => {
    const { takesIfMatch: _, ...undeclared } = writeNote;
    await expect(h.run(undeclared, { text: 'a' })).rejects.toThrow('WriteNote is not declared to take If-Match');
  });

  test('can use its key again after a refusal', async () => {
    await h.run(writeNote, { text: 'a' });
    const before = await h.log();
    expect((await h.expectRefusal(writeNote, { text: 'b' }, { key: 'k', ifMatch: [5] })).code).toBe(
      'precondition_failed',
    );
    expect(await h.log()).toEqual(before);
    expect((await h.run(writeNote, { text: 'other' }, { key: 'k', ifMatch: [0] })).replayed).toBe(false);
  });

  test('can use its key again after an event that is too large in bytes', async () => {
    const text = 'Ω'.repeat(600_000);
    expect(await h.expectRefusal(writeNote, { text }, { key: 'k' })).toMatchObject({
      code: 'event_too_large',
    });
    expect(await h.log()).toEqual([]);
    await h.run(writeNote, { text: text.slice(0, 500_000) }, { key: 'k' });
    expect(await h.events(NOTES)).toHaveLength(1);
  });

  test('executes one of many concurrent requests and returns the same result to all', async () => {
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => h.run(writeNote, { text: 'a' }, { key: 'k' })));
    expect(await h.events(NOTES)).toHaveLength(1);
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome.result))).size).toBe(1);
    expect(outcomes.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect((await h.log()).filter(({ type }) => type === 'IdempotencyRecorded')).toHaveLength(1);
  });

  test('accepts one of two concurrent bodies', async () => {
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

describe('An idempotency record without its event', () => {
  async function dieAfterRecord(): Promise<void> {
    h.eventStore.beforeAppend = (stream) => {
      if (stream === NOTES) throw new Error('killed');
    };
    await expect(h.run(writeNote, { text: 'a' }, { key: 'k' })).rejects.toThrow('killed');
    h.eventStore.beforeAppend = () => {};
    expect((await h.log()).map(({ type }) => type)).toEqual(['IdempotencyRecorded']);
  }

  test('is completed by the retry: decided as of the record, recorded as of now', async () => {
    await dieAfterRecord();
    h.now = '2026-03-05T08:00:00.000Z';
    const outcome = await h.run(writeNote, { text: 'a' }, { key: 'k' });
    expect(outcome).toMatchObject({ replayed: false, result: { text: 'a at 2026-03-01T10:00:00.000Z' } });
    const [event] = await h.events(NOTES);
    expect(event?.metadata.recordedAt).toBe('2026-03-05T08:00:00.000Z');
    expect(event?.data).toMatchObject({ effectiveAt: '2026-03-05' });
    expect(h.pausedMs).toBe(0);
  });

  test('is decided again and may be refused', async () => {
    await dieAfterRecord();
    await h.run(writeNote, { text: 'closed' });
    expect((await h.expectRefusal(writeNote, { text: 'a' }, { key: 'k' })).code).toBe('policy_not_active');
    expect(await h.events(NOTES)).toHaveLength(1);
  });

  test('rejects another body', async () => {
    await dieAfterRecord();
    expect((await h.expectRefusal(writeNote, { text: 'b' }, { key: 'k' })).code).toBe('idempotency_key_reused');
  });

  test('makes a retry wait for up to two seconds after the record', async () => {
    await dieAfterRecord();
    h.now = '2026-03-01T10:00:00.500Z';
    await h.run(writeNote, { text: 'a' }, { key: 'k' });
    expect(h.pausedMs).toBe(1500);
  });

  test('makes a retry wait no longer where the event store answers slowly', async () => {
    await dieAfterRecord();
    const readStream = h.eventStore.readStream.bind(h.eventStore);
    h.eventStore.readStream = async (...args) => {
      h.now = new Date(Date.parse(h.now) + 475).toISOString();
      return await readStream(...args);
    };
    await h.run(writeNote, { text: 'a' }, { key: 'k' });
    expect(h.pausedMs).toBeLessThanOrEqual(4 * 25);
  });
});

describe('A command that is identified by its input', () => {
  test('executes once without a record, with or without a key', async () => {
    const first = await h.run(importNote, { text: 'row 1' });
    const again = await h.run(importNote, { text: 'row 1' }, { key: 'k' });
    const other = await h.run(importNote, { text: 'row 2' }, { key: 'k' });
    expect(responseOf(again)).toEqual(responseOf(first));
    expect([first.replayed, again.replayed, other.replayed]).toEqual([false, true, false]);
    expect((await h.log()).map(({ stream }) => stream)).toEqual([NOTES, NOTES]);
  });

  test('executes one of many concurrent requests', async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => h.run(importNote, { text: 'row 1' })));
    expect(await h.events(NOTES)).toHaveLength(1);
    expect(new Set(outcomes.map(({ revision }) => revision))).toEqual(new Set([0]));
  });
});

describe('A programming error in a command', () => {
  test('fails on a second write to one stream', async () => {
    await expect(h.run(writeTwice, { text: 'a' })).rejects.toThrow('writes twice');
  });
});
