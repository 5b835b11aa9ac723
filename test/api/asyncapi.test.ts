import specs from '@asyncapi/specs';
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { PUBLIC_EVENTS } from '#public-events/translate.ts';
import { PUBLIC_TOPICS, topicOf } from '#public-events/topics.ts';
import { ADMIN_KEY } from '../support/api-service.ts';
import { closedSchema, formatError, schemaValidator } from '../support/closed-schema.ts';
import { createMerchant } from '../support/merchant-fixture.ts';
import { startSuiteService } from '../support/suite-service.ts';

type Json = ReturnType<typeof JSON.parse>;

const service = await startSuiteService();
const { json: document, headers } = await service.send('GET', '/asyncapi.json');

const isAsyncApi = new Ajv({ meta: false, strict: false, validateFormats: false }).compile(
  specs.schemas['3.0.0'] as object,
);

/** Returns the value that a reference names. @throws {Error} when there is none */
function resolve(reference: string): Json {
  if (!reference.startsWith('#/')) throw new Error(`${reference} is outside the document`);
  const path = reference.slice(2).split('/');
  return path.reduce((value, name) => {
    const member = value[name.replaceAll('~1', '/').replaceAll('~0', '~')];
    if (member === undefined) throw new Error(`${reference} names nothing`);
    return member;
  }, document);
}

function referencesIn(value: Json): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = typeof value.$ref === 'string' ? [value.$ref as string] : [];
  return [...own, ...Object.values(value).flatMap(referencesIn)];
}

/** Returns a message of a channel by its type, with its trait applied. */
function messageOf(channel: string, type: string): Json {
  const { traits = [], ...message } = resolve(document.channels[channel].messages[type].$ref);
  const [trait] = traits.map(({ $ref }: { $ref: string }) => resolve($ref));
  if (trait === undefined) return message;
  const properties = { ...trait.headers.properties, ...message.headers.properties };
  return { ...trait, ...message, headers: { ...trait.headers, properties } };
}

/** Returns the errors of a value by a schema with references into the document. */
function errorsOf(schema: Json, value: Json): readonly string[] {
  const ajv = schemaValidator();
  const validate = ajv.compile({ ...schema, components: document.components });
  return validate(value) ? [] : (validate.errors ?? []).map(formatError);
}

describe('The AsyncAPI document', () => {
  test('is AsyncAPI 3.0 by its schema, which refuses another document', () => {
    expect([isAsyncApi(document), isAsyncApi.errors]).toEqual([true, null]);
    const { channel: _, ...operation } = document.operations['send.feed'];
    expect(isAsyncApi({ ...document, operations: { 'send.feed': operation } })).toBe(false);
  });

  test('has no reference to nothing', () => {
    const references = referencesIn(document);
    expect(references.length).toBeGreaterThan(PUBLIC_EVENTS.length * 4);
    for (const reference of references) expect(resolve(reference)).toBeDefined();
  });

  test('has every topic and the feed, to which this service sends', () => {
    const channels = [...PUBLIC_TOPICS, 'feed'];
    expect(Object.keys(document.channels).toSorted()).toEqual(channels.toSorted());
    for (const topic of PUBLIC_TOPICS) {
      const { address, bindings, servers } = document.channels[topic];
      expect([address, bindings.kafka.topic, servers]).toEqual([topic, topic, [{ $ref: '#/servers/kafka' }]]);
    }
    const sent = Object.values<Json>(document.operations).map(({ action, channel }) => `${action} ${channel.$ref}`);
    expect(sent.toSorted()).toEqual(channels.map((name) => `send #/channels/${name}`).toSorted());
    expect(document.operations['send.feed'].bindings.http.query.properties).toHaveProperty('lastEventId');
  });

  test('has a message for every type, in the channels of its topics and in the feed', () => {
    for (const { type, subject } of PUBLIC_EVENTS) {
      for (const mode of ['live', 'test'] as const) {
        const message = messageOf(topicOf(subject, mode), type);
        expect([message.name, message.headers.properties.ce_type]).toEqual([type, { const: type }]);
        expect([message.contentType, message.bindings.kafka.key.format]).toEqual(['application/json', 'uuid']);
        expect(message.payload.schemaFormat).toBe('application/schema+json;version=draft-2020-12');
      }
      expect(messageOf('feed', type).name).toBe(type);
    }
    const ofTopics = PUBLIC_TOPICS.flatMap((topic) => Object.keys(document.channels[topic].messages));
    expect(ofTopics).toHaveLength(2 * PUBLIC_EVENTS.length);
    expect(Object.keys(document.channels.feed.messages)).toHaveLength(PUBLIC_EVENTS.length);
  });

  test.each(PUBLIC_EVENTS)('shows an example of $type that fits its schemas', ({ type, subject }) => {
    const { headers: schema, payload, examples } = messageOf(topicOf(subject, 'live'), type);
    const [example] = examples;
    expect(errorsOf(closedSchema(schema), example.headers)).toEqual([]);
    expect(errorsOf(closedSchema(payload.schema), example.payload)).toEqual([]);
    const inFeed = messageOf('feed', type);
    const [structured] = inFeed.examples;
    expect(structured.payload.data).toEqual(example.payload);
    expect(errorsOf(inFeed.payload.schema, structured.payload)).toEqual([]);
    // The schema has all members of the example, and distinguishes the types.
    const { properties } = document.components.schemas.CloudEvent.schema;
    expect(Object.keys(structured.payload).filter((name) => !(name in properties))).toEqual(['data']);
    expect(errorsOf(inFeed.payload.schema, { ...structured.payload, type: 'another' })).toHaveLength(1);
    expect(errorsOf(inFeed.payload.schema, { ...structured.payload, data: {} })).not.toEqual([]);
  });

  test('names the address of the settings as the server of the feed, and no broker', () => {
    expect(document.servers.feed).toMatchObject({ host: 'surety.example', protocol: 'https' });
    expect(document.servers.feed).not.toHaveProperty('pathname');
    expect(document.servers.kafka.host).toBe('{brokers}');
    expect(resolve(document.servers.feed.security[0].$ref)).toMatchObject({ type: 'httpApiKey', name: 'X-API-Key' });
  });

  test('needs no key, and is 304 for its ETag', async () => {
    const etag = headers.get('etag') ?? '';
    const again = await service.send('GET', '/asyncapi.json', { headers: { 'If-None-Match': etag } });
    expect([again.status, again.text]).toEqual([304, '']);
  });
});

describe('The page of public events', () => {
  test.each(['/docs/public-events', '/docs/public-events/'])(
    '%s shows every type, and links what exists',
    async (path) => {
      const { text, headers: sent } = await service.send('GET', path);
      expect(sent.get('content-type')).toBe('text/html; charset=utf-8');
      expect(text).not.toMatch(/<script|\son\w+=|\sstyle=/);
      expect(sent.get('content-security-policy')).not.toMatch(/script|unsafe/);
      for (const { type, description, subject } of PUBLIC_EVENTS) {
        const [, section = ''] = text.split(`<section id="${type}">`);
        expect(section).toContain(`<code>${topicOf(subject, 'live')}</code>`);
        expect(section).toContain(description.split(/[`']/)[0]);
        expect(section).toContain('<td><code>effective_at</code></td><td>date</td><td>Business day');
      }
      expect(text.match(/<pre>/g)).toHaveLength(PUBLIC_EVENTS.length);
      const links = [...text.matchAll(/href="([^"]+)"/g)].map(
        ([, link = '']) => new URL(link, `${service.url}${path}`),
      );
      expect(links.length).toBeGreaterThan(2 * PUBLIC_EVENTS.length);
      // Without this, `/` redirects.
      const browser = { headers: { Accept: 'text/html, */*' } };
      for (const pathname of new Set(links.map((link) => link.pathname)))
        expect([pathname, (await service.send('GET', pathname, browser)).status]).toEqual([pathname, 200]);
    },
  );
});

describe('The schema that an event of the feed names', () => {
  test('is served, and has its data', async () => {
    await createMerchant(service, 'Acme');
    await service.admin('RegisterProvider', { name: 'An insurer', support_email: 'a@b.example', support_phone: '1' });
    const events = (await service.send('GET', '/api/v1/events/?limit=1000', { key: ADMIN_KEY })).json as Json[];
    expect(new Set(events.map(({ type }) => type)).size).toBeGreaterThan(3);
    for (const { type, dataschema, data } of events) {
      const response = await service.send('GET', new URL(dataschema).pathname);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'application/schema+json; charset=utf-8',
      ]);
      expect(response.json.title).toBe(type);
      expect(errorsOf(closedSchema(response.json), data)).toEqual([]);
    }
  });

  test('is served for every type', async () => {
    for (const { type } of PUBLIC_EVENTS)
      expect((await service.send('GET', `/docs/public-events/${type}.json`)).json.title).toBe(type);
    expect((await service.send('GET', '/docs/public-events/surety.policy.unknown.v1.json')).status).toBe(404);
  });
});
