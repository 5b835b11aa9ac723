import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { assertStorable, decode, EVENT_DEFINITIONS } from '../domain/events.ts';
import { codecOf, type RawEvent, UnreadableEvent } from './codec.ts';
import { coreMetadata, defineEvent, type Upcaster } from './event.ts';

const metadata = {
  recordedAt: '2026-03-01T10:00:00.000Z',
  $correlationId: 'request',
  $causationId: 'command',
  actor: { role: 'system', keyId: null },
  command: { name: 'Count', id: 'command' },
};
const raw = (type: string, data: object, place = 0): RawEvent => ({
  id: `event ${place}`,
  stream: 'counter-1',
  revision: place,
  position: BigInt(place + 1),
  type,
  data,
  metadata,
});
const taken = { effectiveAt: '2026-03-01', commandId: 'command' };

describe('Given events of three versions, each with an upcaster to the next', () => {
  const V1 = defineEvent('Counted.v1', { by: z.string() });
  const V2 = defineEvent('Counted.v2', { by: z.int() });
  const V3 = defineEvent('Counted.v3', { by: z.int(), unit: z.string() });
  const { decode: read } = codecOf(
    [V1, V2, V3],
    new Map<string, Upcaster>([
      [V1.type, ({ by, ...rest }: { by: string }) => ({ type: V2.type, data: { ...rest, by: Number(by) } })],
      [V2.type, (data: object) => ({ type: V3.type, data: { ...data, unit: 'piece' } })],
    ]),
    coreMetadata,
  );

  test('when a stream mixes them, then a fold sees the newest only', () => {
    const effectiveAt = '2026-03-01';
    const stream = [
      raw(V2.type, { effectiveAt, by: 2 }, 0),
      raw(V1.type, { effectiveAt, by: '1' }, 1),
      raw(V3.type, { effectiveAt, by: 3, unit: 'metre' }, 2),
    ];
    const read3 = stream.map((event) => read(event));
    expect(read3.map(({ type, data }) => ({ type, data }))).toEqual([
      { type: V3.type, data: { effectiveAt, by: 2, unit: 'piece' } },
      { type: V3.type, data: { effectiveAt, by: 1, unit: 'piece' } },
      { type: V3.type, data: { effectiveAt, by: 3, unit: 'metre' } },
    ]);
    expect(read3.map(({ id, revision, position }) => ({ id, revision, position }))).toEqual(
      stream.map(({ id, revision, position }) => ({ id, revision, position })),
    );
  });

  test('when an old one does not parse by its own schema, then it is unreadable', () => {
    expect(() => read(raw(V1.type, { effectiveAt: '2026-03-01', by: 1 }))).toThrow(UnreadableEvent);
  });
});

describe('Given the events of the domain', () => {
  test('when names are listed, then each is versioned and stands once', () => {
    for (const [name, definition] of EVENT_DEFINITIONS) {
      expect(name).toMatch(/^[A-Z][A-Za-z]+\.v[1-9]\d*$/);
      expect(definition.type).toBe(name);
    }
  });

  test('when an event is read, then nothing of it is changed', () => {
    expect(decode(raw('NumberTaken.v1', taken))).toEqual({ ...raw('NumberTaken.v1', taken) });
  });

  test.each<[string, RawEvent]>([
    ['of an unknown type', raw('NumberTaken.v9', taken)],
    ['with a field missing', raw('NumberTaken.v1', { commandId: 'command' })],
    ['with a field too many', raw('NumberTaken.v1', { ...taken, more: 1 })],
    ['that is text', { ...raw('NumberTaken.v1', taken), data: 'not JSON' }],
    ['without metadata', { ...raw('NumberTaken.v1', taken), metadata: undefined }],
    ['with metadata of another shape', { ...raw('NumberTaken.v1', taken), metadata: { ...metadata, actor: 'me' } }],
  ])('when one comes %s, then it is unreadable', (_what, event) => {
    expect(() => decode(event)).toThrow(UnreadableEvent);
  });

  test('when one is unreadable, then it is told where it lies', () => {
    const { id, stream, revision } = raw('NumberTaken.v9', taken);
    const told = expect.objectContaining({ eventId: id, stream, revision }) as unknown as Error;
    expect(() => decode(raw('NumberTaken.v9', taken))).toThrow(told);
  });

  test('when one is unreadable, then the reason names fields and no values', () => {
    const secret = 'ada@customers.example';
    expect(() => decode(raw('NumberTaken.v1', { ...taken, commandId: [secret] }))).toThrow(/commandId/);
    expect(() => decode(raw('NumberTaken.v1', { ...taken, commandId: [secret] }))).not.toThrow(secret);
  });

  test.each([
    { type: 'NumberTaken.v1', data: { commandId: 'command' } },
    { type: 'NumberTaken.v1', data: { ...taken, effectiveAt: '2026-02-30' } },
    { type: 'Undeclared.v1', data: taken },
  ])('when one breaks its contract, then it is not stored', (event) => {
    expect(() => assertStorable(event)).toThrow(event.type);
  });
});
