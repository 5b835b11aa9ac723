import { pagesOf } from '../page.ts';

export const SERVICE_PAGES = pagesOf('Service', {
  VerificationPage: {
    description: 'A page with one button. Opening it changes nothing, because mail scanners open links too.',
    request: { path: { short_code: '{scene.sample.short_code}' }, query: { token: '{scene.sample.token}' } },
    withoutExample: ['token'],
    mediaType: 'text/html',
  },
  VerifyOnPage: {
    description:
      'Receives the form of the verification page with the token, which is the credential. The response is a page, also for an invalid token (400).',
    request: {
      path: { short_code: '{scene.thirdMerchant.short_code}' },
      body: { token: '{scene.thirdMerchant.token}' },
    },
    codes: ['body_too_large', 'unsupported_media_type'],
    pageCodes: ['invalid_verification_token'],
    mediaType: 'text/html',
    formOnly: true,
  },
  Live: { description: 'Answers while the process runs, regardless of its stores.' },
  Ready: {
    description: '200 when all checks succeed, else 503. Both list every check. For load balancers and orchestrators.',
    otherwise: 503,
  },
  Metrics: {
    description: 'Metrics of requests, stores and processes in the text format of Prometheus.',
    mediaType: 'text/plain',
  },
  OpenApi: {
    description: 'OpenAPI 3.1, generated from the schemas that validate requests and responses.',
    tagged: true,
  },
  AsyncApi: {
    description:
      'AsyncAPI 3.0 of the public events, generated from the definitions that make them: the feed, the Kafka topics, and every message with its schema.',
    tagged: true,
  },
  Reference: { description: 'This API reference as an interactive page.', mediaType: 'text/html' },
  ErrorCodes: {
    description: 'Explains every error code: its meaning, and what to do about it.',
    tagged: true,
    mediaType: 'text/html',
  },
  Events: {
    description: 'Lists all events of the log with their fields and types.',
    tagged: true,
    mediaType: 'text/html',
  },
  PublicEvents: {
    description:
      'Lists all types of public events with their fields, an example, the topic, and the JSON Schema of the data, which `dataschema` of every event names.',
    tagged: true,
    mediaType: 'text/html',
  },
});
