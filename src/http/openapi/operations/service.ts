import type { OperationPages } from '../page.ts';

export const SERVICE_PAGES: OperationPages = {
  VerificationPage: {
    tag: 'Service',
    description: 'A page with one button. Opening it changes nothing, because programs that scan mails open links too.',
    request: {
      path: { short_code: '{scene.thirdMerchant.short_code}' },
      query: { token: '{scene.thirdMerchant.token}' },
    },
    mediaType: 'text/html',
  },
  VerifyOnPage: {
    tag: 'Service',
    description:
      'What the button of the verification page sends: a form with the token, which is the credential. The answer is a page, also when the token is not valid (400).',
    request: {
      path: { short_code: '{scene.thirdMerchant.short_code}' },
      body: { token: '{scene.thirdMerchant.token}' },
    },
    codes: ['body_too_large', 'unsupported_media_type'],
    pageCodes: ['invalid_verification_token'],
    mediaType: 'text/html',
    formOnly: true,
  },
  Live: { tag: 'Service', description: 'Answers as long as the process runs, whatever its stores do.' },
  Ready: {
    tag: 'Service',
    description:
      '200 when everything is in order, else 503 with the same body: it tells which part is in the way. For load balancers and orchestrators.',
    otherwise: 503,
  },
  Metrics: {
    tag: 'Service',
    description: 'Figures of requests, stores and processes in the text format of Prometheus.',
    mediaType: 'text/plain',
  },
  OpenApi: { tag: 'Service', description: 'OpenAPI 3.1, made from the schemas that validate.', tagged: true },
  Reference: { tag: 'Service', description: 'This document as pages to read and to try.', mediaType: 'text/html' },
  ErrorCodes: {
    tag: 'Service',
    description: 'What every code means to the one who gets it, and what to do.',
    tagged: true,
    mediaType: 'text/html',
  },
  Events: {
    tag: 'Service',
    description: 'What stands in the log of Surety, for those who read it.',
    tagged: true,
    mediaType: 'text/html',
  },
};
