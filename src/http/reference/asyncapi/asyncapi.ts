import { type Subject, SUBJECTS } from '#public-events/definition.ts';
import { topicOf } from '#public-events/topics.ts';
import { PUBLIC_EVENTS } from '#public-events/translate.ts';
import type { Json } from '../openapi/page.ts';
import { Components } from '../openapi/schemas.ts';
import type { RouteContext } from '../../server/route.ts';
import { cloudEvent, KAFKA_BINDING, messageKey, messages, messageTrait } from './messages.ts';

type JsonObject = Record<string, Json>;
type TopicMode = 'live' | 'test';

const FEED_ROUTE = '/api/v1/events';

const INTRODUCTION = `Public events say what happened to policies, claims, merchants, insurers and products, with ids, states and amounts, and no personal data. The same events are on Kafka topics, for systems of the platform, and in the feed, for every API key.

An event has the same \`id\` in both, and in every repeat. The events of one subject are in the order in which they were recorded; the feed has all events in one order. From release 1.0.0 on types never change; fields and types may be added, so ignore those that you do not know. Until then they are changed in place.`;

const TOPIC_NOTES: Readonly<Record<Subject, Readonly<Record<TopicMode, string>>>> = {
  policies: { live: 'Policies of live environments.', test: 'Policies of test environments.' },
  claims: { live: 'Claims of live environments.', test: 'Claims of test environments.' },
  merchants: {
    live: 'All merchants, because a merchant has live and test environments.',
    test: 'Stays empty: the events of merchants are in the live topic.',
  },
  providers: {
    live: 'Insurers that are visible in live mode, with `visibility` `live` or `both`.',
    test: 'Insurers that are visible in test mode only.',
  },
  products: {
    live: 'Products that are visible in live mode, with `visibility` `live` or `both`.',
    test: 'Products that are visible in test mode only.',
  },
};

/** Makes the AsyncAPI 3.0 document of the public events, from the definitions that make them. */
export function asyncApiDocument({
  routes,
  translator,
  version,
}: Pick<RouteContext, 'routes' | 'translator' | 'version'>): Json {
  const topics = SUBJECTS.flatMap((subject) => (['live', 'test'] as const).map((mode) => ({ subject, mode })));
  return {
    asyncapi: '3.0.0',
    info: { title: 'Surety events', version: '1.0.0', 'x-program-version': version, description: INTRODUCTION },
    defaultContentType: 'application/json',
    servers: { feed: feedServer(translator.origin), kafka: KAFKA_SERVER },
    channels: {
      ...Object.fromEntries(topics.map(({ subject, mode }) => [topicOf(subject, mode), topicChannel(subject, mode)])),
      feed: FEED_CHANNEL,
    },
    operations: {
      ...Object.fromEntries(
        topics.map(({ subject, mode }) => [`send.${topicOf(subject, mode)}`, publishing(subject, mode)]),
      ),
      'send.feed': servingFeed(routes),
    },
    components: {
      messages: messages(),
      messageTraits: { CloudEvent: messageTrait() },
      schemas: { CloudEvent: cloudEvent() },
      securitySchemes: {
        ApiKey: {
          type: 'httpApiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'A key of a merchant or of the platform.',
        },
      },
    },
  };
}

function feedServer(origin: string): Json {
  const { protocol, host, pathname } = new URL(origin);
  return {
    host,
    ...(pathname === '/' ? {} : { pathname }),
    protocol: protocol.slice(0, -1),
    description: 'This service.',
    security: [{ $ref: '#/components/securitySchemes/ApiKey' }],
  };
}

/** Without addresses: the document needs no key, and brokers are for systems of the platform alone. */
const KAFKA_SERVER: Json = {
  host: '{brokers}',
  protocol: 'kafka',
  description: 'Kafka of the platform, if it runs one: on embedded stores nothing is published.',
  variables: {
    brokers: {
      description: 'Addresses of the brokers, as in `KAFKA_BROKERS`. The operator of the platform has them.',
      examples: ['kafka.example:9092'],
    },
  },
};

function topicChannel(subject: Subject, mode: TopicMode): Json {
  const topic = topicOf(subject, mode);
  return {
    address: topic,
    description: TOPIC_NOTES[subject][mode],
    servers: [{ $ref: '#/servers/kafka' }],
    messages: references(
      PUBLIC_EVENTS.filter((event) => event.subject === subject),
      'binary',
    ),
    bindings: {
      kafka: {
        topic,
        topicConfiguration: { 'retention.ms': -1, 'retention.bytes': -1 },
        bindingVersion: KAFKA_BINDING,
      },
    },
  };
}

const FEED_CHANNEL: Json = {
  address: `${FEED_ROUTE}/`,
  description:
    'All public events that a key may see, in the order of the log, as an HTTP feed (http-feeds.org). The OpenAPI document has its parameters and errors.',
  servers: [{ $ref: '#/servers/feed' }],
  messages: references(PUBLIC_EVENTS, 'structured'),
};

function references(events: typeof PUBLIC_EVENTS, mode: 'binary' | 'structured'): JsonObject {
  return Object.fromEntries(
    events.map(({ type }) => [type, { $ref: `#/components/messages/${messageKey(type, mode)}` }]),
  );
}

function publishing(subject: Subject, mode: TopicMode): Json {
  return {
    action: 'send',
    channel: { $ref: `#/channels/${topicOf(subject, mode)}` },
    summary: `Publishes events of ${subject} in ${mode} mode at least once, those of a key in order.`,
  };
}

function servingFeed(routes: RouteContext['routes']): Json {
  const route = routes.find(({ path }) => path === FEED_ROUTE);
  if (route === undefined) throw new Error(`no route has the path ${FEED_ROUTE}`);
  return {
    action: 'send',
    channel: { $ref: '#/channels/feed' },
    summary: 'Serves events on request, and waits for the next one if there is none.',
    description:
      'A response is a batch (`application/cloudevents-batch+json`): a JSON array of these messages, empty at the end for now. Its `Link: rel="next"` leads to the next page.',
    bindings: {
      http: {
        method: 'GET',
        query: { type: 'object', ...new Components().input(route.reference.search) } as Json,
        bindingVersion: '0.3.0',
      },
    },
  };
}
