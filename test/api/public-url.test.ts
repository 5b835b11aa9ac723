import { describe, expect, test } from '@jest/globals';
import { GUIDES } from '#http/api/routers/guides.ts';
import { ADMIN_KEY, type ApiResponse } from '../support/api-service.ts';
import { runExamples } from '../support/reference-examples.ts';
import { startSuiteService } from '../support/suite-service.ts';

const PUBLIC_URL = 'https://x.example/insurance';

const service = await startSuiteService({ publicUrl: PUBLIC_URL });
const { calls } = await runExamples(service);

/** Responses whose texts are paths below the address of the service, as those of the OpenAPI document are. */
const HAS_PATHS_OF_THE_API = new Set(['OpenApi', 'AsyncApi', 'ListCommands']);

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function linksInJson(value: unknown): readonly string[] {
  return textsIn(value).filter((text) =>
    /^(\/(insurance|api|docs|console|onboarding)\/|https?:\/\/(x\.example|127\.0\.0\.1))/.test(text),
  );
}

function linksInHeaders({ headers }: ApiResponse): readonly string[] {
  const links = [...(headers.get('link') ?? '').matchAll(/<([^>]+)>/g)].map(([, link = '']) => link);
  return [headers.get('location') ?? [], links].flat();
}

function linksInPage(html: string): readonly string[] {
  return [...html.matchAll(/\s(?:href|src|action|data-document)="([^"]+)"/g)]
    .map(([, link = '']) => link.replaceAll('&amp;', '&'))
    .filter((link) => !/^https?:\/\/(?!x\.example)/.test(link));
}

/**
 * Requests what a link names, as a proxy does that removes the path of PUBLIC_URL.
 * @param place path of the response with the link
 */
async function follow(link: string, place: string): Promise<readonly unknown[]> {
  const { href, pathname, search } = new URL(link, `${PUBLIC_URL}${place}`);
  if (!href.startsWith(`${PUBLIC_URL}/`)) return [link, 'is outside'];
  const headers = { Accept: 'text/html, */*' };
  const inside = `${pathname.slice('/insurance'.length)}${search}`;
  const { status } = await service.send('GET', inside, { key: ADMIN_KEY, headers });
  return [link, status === 404 ? 'is not found' : 'is found'];
}

async function expectServed(links: readonly string[], place = '/'): Promise<void> {
  for (const link of new Set(links)) expect([place, await follow(link, place)]).toEqual([place, [link, 'is found']]);
}

describe('With a path in PUBLIC_URL', () => {
  test('every link of a response of the API begins with it', async () => {
    const found = [...calls].map(([key, { response }]) => {
      const isJson = response.headers.get('content-type')?.includes('json') === true;
      const inBody = isJson && !HAS_PATHS_OF_THE_API.has(key) ? linksInJson(response.json) : [];
      return { key, links: [inBody, linksInHeaders(response)].flat() };
    });
    const withLinks = found.filter(({ links }) => links.length > 0).map(({ key }) => key);
    expect(withLinks).toEqual(
      expect.arrayContaining(['GetCustomer', 'ListMerchantCustomers', 'ListEvents', 'StartVerification']),
    );
    await expectServed(found.flatMap(({ links }) => links));
  });

  test('the links of lists, of past views and of changed customers begin with it', async () => {
    const customer = calls.get('GetCustomer')?.response.json.customer_id as string;
    // The key of the examples is revoked by one of them.
    const { api_key: key } = await service.admin('IssueApiKey', calls.get('admin/IssueApiKey')?.request.body);
    const [day, code] = ['2099-01-01', calls.get('GetMerchant')?.response.json.short_code as string];
    const responses = [
      await service.send('GET', `/api/v1/customers/${customer}/?as_of=${day}`, { key: ADMIN_KEY }),
      await service.send('PATCH', `/api/v1/customers/${customer}/`, { key, body: { address: '1 Broad Street' } }),
      await service.send('GET', '/api/v1/policies/?limit=1', { key: ADMIN_KEY }),
      await service.send('GET', '/api/v1/policies/?limit=1&offset=1', { key: ADMIN_KEY }),
      await service.send('GET', `/api/v1/merchants/${code}/customers/?limit=1`, { key: ADMIN_KEY }),
    ];
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    const links = responses.flatMap((response) => [linksInJson(response.json), linksInHeaders(response)].flat());
    await expectServed(links);
    const list = { key: ADMIN_KEY, headers: { Accept: 'text/csv' } };
    const { text } = await service.send('GET', `/api/v1/merchants/${code}/customers/`, list);
    expect(text).toContain(`"/insurance/api/v1/customers/${customer}/policies/"`);
  });

  test('no stored document contains it', async () => {
    const { documents } = await service.readModels.find('customers', { limit: 10, offset: 0 });
    expect(documents.length).toBeGreaterThan(0);
    for (const { body } of documents) expect(body).not.toContain('/insurance/');
  });

  test('the type of every problem begins with it', async () => {
    for (const [path, key] of [
      ['/nowhere', undefined],
      ['/api/v1/me', undefined],
      ['/api/v1/policies/nothing', ADMIN_KEY],
      ['/api/v1/policies/?limit=x', ADMIN_KEY],
    ] as const) {
      const { json } = await service.send('GET', path, key === undefined ? {} : { key });
      expect(json.type).toBe(`/insurance/docs/errors#${json.code}`);
      await expectServed([json.type]);
    }
  });

  test('the links of all pages and documents begin with it', async () => {
    const pages = ['/', '/docs', '/docs/', '/docs/errors', '/docs/events', '/docs/public-events', '/docs/guides'];
    for (const place of [pages, GUIDES.map((name) => `/docs/guides/${name}`)].flat()) {
      const { status, text } = await service.send('GET', place, { headers: { Accept: 'text/html' } });
      expect([place, status]).toEqual([place, 200]);
      await expectServed(linksInPage(text), place);
    }
    for (const place of ['/openapi.json', '/asyncapi.json']) {
      const { text } = await service.send('GET', place);
      await expectServed([...text.matchAll(/\]\((\/[^)]*)\)/g)].map(([, link = '']) => link));
    }
    expect((await service.send('GET', '/')).headers.get('location')).toBe('/insurance/docs/');
  });
});
