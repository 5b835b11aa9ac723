import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { decode, decodeMetadata, encode, EVENT_DEFINITIONS, typeOf } from '#domain/events.ts';
import { codecOf, type RawEvent, UnreadableEvent } from './codec.ts';
import { coreMetadata, defineEvent, type Metadata, type StoredMetadata } from './event.ts';

const metadata = {
  recordedAt: '2026-03-01T10:00:00.000Z',
  $correlationId: 'request',
  $causationId: 'command',
  actor: { role: 'system', keyId: null },
  command: { name: 'Count', id: 'command' },
};
const raw = (type: string, data: object, revision = 0): RawEvent => ({
  id: `event ${revision}`,
  stream: 'counter-1',
  revision,
  position: BigInt(revision + 1),
  type,
  data,
  metadata,
});
const effectiveAt = '2026-03-01';
const numberTaken = { effectiveAt, commandId: 'command' };

describe('an event of three versions', () => {
  const V1 = defineEvent('Counted.v1', 'It was counted.', { by: z.string() }, ({ by, ...rest }) => ({
    ...rest,
    by: Number(by),
  }));
  const V2 = defineEvent('Counted.v2', 'It was counted.', { by: z.int() }, (data, { command }: Metadata) => ({
    ...data,
    unit: command.name,
  }));
  const V3 = defineEvent('Counted.v3', 'It was counted.', { by: z.int(), unit: z.string() });
  const codec = codecOf([V2, V3, V1], coreMetadata);

  test('is decoded to the newest version, whichever one is stored', () => {
    const stream = [
      raw('Counted.v2', { effectiveAt, by: 2 }, 0),
      raw('Counted.v1', { effectiveAt, by: '1' }, 1),
      raw('Counted.v3', { effectiveAt, by: 3, unit: 'metre' }, 2),
    ];
    const events = stream.map((event) => codec.decode(event));
    expect(events.map(({ type, data }) => ({ type, data }))).toEqual([
      { type: 'Counted', data: { effectiveAt, by: 2, unit: 'Count' } },
      { type: 'Counted', data: { effectiveAt, by: 1, unit: 'Count' } },
      { type: 'Counted', data: { effectiveAt, by: 3, unit: 'metre' } },
    ]);
    expect(events.map(({ id, revision, position, storedType }) => ({ id, revision, position, storedType }))).toEqual(
      stream.map(({ id, revision, position, type }) => ({ id, revision, position, storedType: type })),
    );
  });

  test('is decoded once for each object of it, never by its id', () => {
    const stored = raw('Counted.v1', { effectiveAt, by: '1' });
    const other = { ...stored, data: { effectiveAt, by: '2' } };
    expect(codec.decode(stored)).toBe(codec.decode(stored));
    expect(codec.decode(other).data).toEqual({ effectiveAt, by: 2, unit: 'Count' });
  });

  test('is encoded under its newest wire name', () => {
    const data = { effectiveAt, by: 3, unit: 'metre' };
    expect(codec.encode({ type: 'Counted', data })).toEqual({ type: 'Counted.v3', data, decoded: data });
  });

  test('is parsed from what is stored where JSON does not keep what was encoded', () => {
    const appended = { effectiveAt, by: 3, unit: 'metre', later: undefined };
    const withUndefined = raw('Counted.v3', { effectiveAt, by: 3, unit: 'stored' });
    codec.keepDecoded([withUndefined], [codec.encode({ type: 'Counted', data: appended })], metadata as StoredMetadata);
    expect(codec.decode(withUndefined).data).toMatchObject({ unit: 'stored' });
    const { later: _, ...data } = appended;
    const ofMetadata = raw('Counted.v3', { ...data, unit: 'stored' });
    const requestId = undefined;
    const encoded = codec.encode({ type: 'Counted', data });
    codec.keepDecoded([ofMetadata], [encoded], { ...metadata, requestId } as unknown as StoredMetadata);
    expect(codec.decode(ofMetadata).data).toMatchObject({ unit: 'stored' });
  });

  test('is not encoded with the data of an old version', () => {
    expect(() => codec.encode({ type: 'Counted', data: { effectiveAt, by: 3 } })).toThrow('Counted.v3');
  });

  test('has one type, under any of its wire names', () => {
    const names = ['Counted.v1', 'Counted.v2', 'Counted.v3', 'Counted.v4', 'Counted'];
    const types = names.map((type) => codec.typeOf({ type }));
    expect(types).toEqual(['Counted', 'Counted', 'Counted', undefined, undefined]);
  });

  test('is unreadable when the data do not match the schema of the stored version', () => {
    expect(() => codec.decode(raw('Counted.v1', { effectiveAt, by: 1 }))).toThrow(UnreadableEvent);
  });

  test('is unreadable in a version that is not known', () => {
    expect(() => codec.decode(raw('Counted.v4', { effectiveAt, by: 1 }))).toThrow('unknown event type Counted.v4');
  });

  test('is unreadable when the store has found it altered, also when it matches its schema', () => {
    const event = raw('Counted.v2', { effectiveAt, by: 2 });
    expect(() => codec.decode({ ...event, isAltered: true })).toThrow('Counted.v2 was altered in the store');
    expect(codec.decode({ ...event, isAltered: false }).type).toBe('Counted');
  });

  test('needs an upcaster in every version but the newest', () => {
    const last = defineEvent('Counted.v2', 'It was counted.', { by: z.int() });
    expect(() => codecOf([V1, last, V3], coreMetadata)).toThrow('Counted.v2');
    expect(() => codecOf([V1, V2], coreMetadata)).toThrow('Counted.v2');
    expect(() => codecOf([V3, V3], coreMetadata)).toThrow('wire name');
  });
});

describe('members that a version does not declare', () => {
  const codec = codecOf(
    [
      defineEvent('Counted.v1', 'It was counted.', {
        places: z.array(z.object({ name: z.string(), note: z.string().nullable() })),
        labels: z.record(z.string(), z.json()),
      }),
    ],
    coreMetadata,
  );
  const place = { name: 'here', note: null };
  const labels = { any: { more: [1, null] } };
  const data = { effectiveAt, places: [place], labels };

  test('are ignored in stored data', () => {
    const later = { ...data, later: {}, places: [{ ...place, later: true }] };
    expect(codec.decode(raw('Counted.v1', later)).data).toEqual(data);
  });

  test('are ignored in stored metadata', () => {
    const { actor, command } = metadata;
    const later = { ...metadata, later: 1, actor: { ...actor, later: 1 }, command: { ...command, later: 1 } };
    expect(codec.decode({ ...raw('Counted.v1', data), metadata: later }).metadata).toEqual(metadata);
  });

  test.each([
    ['later', { ...data, later: {} }],
    ['places.1.later', { ...data, places: [place, { ...place, later: null }] }],
  ])('are refused when an event is encoded: %s', (path, given) => {
    expect(() => codec.encode({ type: 'Counted', data: given })).toThrow(`${path} unrecognized_keys`);
  });

  test('are not confused with absent members and members of free-form JSON', () => {
    expect(codec.encode({ type: 'Counted', data: { ...data, later: undefined } }).type).toBe('Counted.v1');
  });

  test.each([...EVENT_DEFINITIONS.values()])('are ignored everywhere in $wireName', ({ schema }) => {
    const read = JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
    expect(read).not.toContain('"additionalProperties":false');
  });
});

describe('metadata without $correlationId or $causationId', () => {
  const { $correlationId: _c, $causationId: _d, ...others } = metadata;
  const metadataOf = (stored: object) => decode({ ...raw('NumberTaken.v1', numberTaken), metadata: stored }).metadata;

  test('get the request id and the command id', () => {
    const known = { ...others, requestId: 'request' };
    expect(metadataOf(known)).toEqual({ ...known, $correlationId: 'request', $causationId: 'command' });
    expect(metadataOf({ ...known, $causationId: 'another' })).toMatchObject({
      $correlationId: 'request',
      $causationId: 'another',
    });
    expect(metadataOf({ ...known, $correlationId: 'another' })).toMatchObject({
      $correlationId: 'another',
      $causationId: 'command',
    });
  });

  test('get the command id twice when there was no request', () => {
    expect(metadataOf(others)).toEqual({ ...others, $correlationId: 'command', $causationId: 'command' });
  });

  test('are decoded alone in the same way', () => {
    expect(decodeMetadata({ metadata: others })).toEqual(metadataOf(others));
    expect(decodeMetadata({ metadata: { ...others, actor: 'me' } })).toBeUndefined();
  });
});

describe('the events of the domain', () => {
  test('have versioned wire names', () => {
    for (const [wireName, definition] of EVENT_DEFINITIONS) {
      expect(wireName).toMatch(/^[A-Z][A-Za-z]+\.v[1-9]\d*$/);
      expect(`${definition.type}.v${definition.version}`).toBe(wireName);
      expect(typeOf({ type: wireName })).toBe(definition.type);
    }
  });

  test.each<[string, RawEvent]>([
    ['of an unknown version', raw('NumberTaken.v9', numberTaken)],
    ['with a field missing', raw('NumberTaken.v1', { commandId: 'command' })],
    ['that is text', { ...raw('NumberTaken.v1', numberTaken), data: 'not JSON' }],
    ['without metadata', { ...raw('NumberTaken.v1', numberTaken), metadata: undefined }],
    [
      'with metadata of another shape',
      { ...raw('NumberTaken.v1', numberTaken), metadata: { ...metadata, actor: 'me' } },
    ],
  ])('are unreadable: one %s', (_what, event) => {
    expect(() => decode(event)).toThrow(UnreadableEvent);
  });

  test('are located by the error when they are unreadable', () => {
    const { id, stream, revision } = raw('NumberTaken.v9', numberTaken);
    const located = expect.objectContaining({ eventId: id, stream, revision }) as unknown as Error;
    expect(() => decode(raw('NumberTaken.v9', numberTaken))).toThrow(located);
  });

  test('are named by fields and not by values when they are unreadable', () => {
    const secret = 'ada@customers.example';
    expect(() => decode(raw('NumberTaken.v1', { ...numberTaken, commandId: [secret] }))).toThrow(/commandId/);
    expect(() => decode(raw('NumberTaken.v1', { ...numberTaken, commandId: [secret] }))).not.toThrow(secret);
  });

  test.each([
    { type: 'NumberTaken', data: { commandId: 'command' } },
    { type: 'NumberTaken', data: { ...numberTaken, effectiveAt: '2026-02-30' } },
    { type: 'NumberTaken', data: { ...numberTaken, more: 1 } },
    { type: 'NumberTaken.v1', data: numberTaken },
    { type: 'Undeclared', data: numberTaken },
  ])('are not encoded when they break their contract: %j', (event) => {
    expect(() => encode(event)).toThrow(event.type);
  });
});
