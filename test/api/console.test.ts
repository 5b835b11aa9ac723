import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { get, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import { anchorOf, guideHtml, GUIDES } from '#http/api/routers/guides.ts';
import { startSuiteService } from '../support/suite-service.ts';

const consoleFolder = mkdtempSync(join(tmpdir(), 'surety-console-'));
afterAll(() => rmSync(consoleFolder, { recursive: true }));
const SCRIPT = 'console.log("ü");\n'.repeat(1_000);
for (const [name, text] of [
  ['index.html', '<!doctype html><meta content="key">'],
  ['console.js', SCRIPT],
  ['console.css', 'a {}'],
] as const)
  writeFileSync(join(consoleFolder, name), text);

async function unused(): Promise<never> {
  return await Promise.reject(new Error('no sign-in here'));
}

const service = await startSuiteService({ http: { consoleFolder } });
const openIdConnect = { begin: unused, finish: unused };
const withIssuer = await startSuiteService({ http: { consoleFolder, openIdConnect } });
const withoutConsole = await startSuiteService();

interface RawResponse {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Gets a file without decoding it, as `fetch` would. */
async function getRaw(path: string, headers: Readonly<Record<string, string>>): Promise<RawResponse> {
  return await new Promise((resolve, reject) => {
    get(`${service.url}${path}`, { headers }, (response) => {
      const { statusCode: status, headers: received } = response;
      buffer(response).then((body) => resolve({ status, headers: received, body }), reject);
    }).on('error', reject);
  });
}

describe('/', () => {
  test.each(['*/*', 'application/json', 'text/html;q=0, */*', 'application/json, text/html;q=0.9'])(
    'leads %s to the reference',
    async (accept) => {
      const { status, headers } = await service.send('GET', '/', { headers: { accept } });
      expect([status, headers.get('location'), headers.get('vary')]).toEqual([302, '/docs/', 'Accept']);
    },
  );

  test('says in a browser what Surety is, and leads to every page', async () => {
    const { status, headers, text } = await service.send('GET', '/', { headers: { accept: 'Text/HTML,*/*;q=0.8' } });
    expect([status, headers.get('vary'), headers.get('content-type')]).toEqual([
      200,
      'Accept',
      'text/html; charset=utf-8',
    ]);
    expect(text).toContain('Surety is an insurance service');
    const links = [...text.matchAll(/href="([^"#]+)/g)].map(([, path = '']) => path);
    for (const path of [
      '/console/',
      '/docs/',
      '/docs/guides/',
      '/docs/public-events/',
      '/openapi.json',
      '/asyncapi.json',
    ])
      expect(links).toContain(path);
    for (const path of new Set(links)) {
      const { status: found } = await service.send('GET', path, { headers: { accept: 'text/html' } });
      expect([path, found]).toEqual([path, 200]);
    }
    expect(text).toContain('href="/docs/#/Events/ListEvents"');
  });

  test('leads to no console where it was not built', async () => {
    const { status, text } = await withoutConsole.send('GET', '/', { headers: { accept: 'text/html' } });
    expect([status, text.includes('/console/')]).toEqual([200, false]);
    expect((await withoutConsole.send('GET', '/console/')).status).toBe(404);
  });
});

describe('/console/', () => {
  test('is a page that may load nothing from elsewhere', async () => {
    const { status, headers, text } = await service.send('GET', '/console/');
    expect([status, text]).toEqual([200, '<!doctype html><meta content="key">']);
    expect((await withIssuer.send('GET', '/console/')).text).toBe('<!doctype html><meta content="openid">');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; img-src 'self' blob: data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    );
  });

  test('has its files beside it, so the address without a slash leads there', async () => {
    const { status, headers } = await service.send('GET', '/console');
    expect([status, headers.get('location')]).toEqual([308, 'console/']);
  });

  test.each([
    ['gzip, deflate, br', 'gzip'],
    ['br;q=1.0, gzip;q=0.8', 'gzip'],
    ['gzip;q=0', null],
    ['identity', null],
    ['', null],
  ])('is sent to a client with Accept-Encoding "%s" as %p', async (acceptEncoding, encoding) => {
    const { headers, body } = await getRaw('/console/console.js', { 'accept-encoding': acceptEncoding });
    expect([headers['content-encoding'] ?? null, headers['vary']]).toEqual([encoding, 'Accept-Encoding']);
    expect((encoding === null ? body : gunzipSync(body)).toString()).toBe(SCRIPT);
    const again = { 'accept-encoding': acceptEncoding, 'if-none-match': headers['etag'] ?? '' };
    expect((await getRaw('/console/console.js', again)).status).toBe(304);
  });
});

describe('/docs/guides/', () => {
  test('leads to every page of docs/ but those that are served as pages of their own', async () => {
    const names = readdirSync(fileURLToPath(new URL('../../docs', import.meta.url)))
      .filter((name) => name.endsWith('.md'))
      .map((name) => name.replace('.md', ''));
    expect([...GUIDES, 'errors', 'events'].toSorted()).toEqual(names.toSorted());
    for (const path of ['/docs/guides', '/docs/guides/']) {
      const { text } = await service.send('GET', path);
      for (const name of GUIDES) expect(text).toContain(`href="/docs/guides/${name}"`);
    }
  });

  test('have the header of every page', async () => {
    for (const path of ['/', '/docs/', '/docs/errors', '/docs/events', '/docs/public-events', '/docs/guides/runbook']) {
      const { text } = await service.send('GET', path, { headers: { accept: 'text/html' } });
      expect([path, text.match(/<header class="top">.*<\/header>/)?.[0]]).toEqual([
        path,
        expect.stringContaining('<a href="/docs/guides/">Guides</a>'),
      ]);
    }
  });

  test.each(GUIDES)('%s has no link that leads nowhere', async (name) => {
    const { status, text } = await service.send('GET', `/docs/guides/${name}`);
    expect(status).toBe(200);
    for (const [, href = ''] of text.matchAll(/href="([^"]*)"/g)) {
      if (href.startsWith('http')) continue;
      const [path = '', anchor] = href.split('#');
      const target =
        path === '' ? { status, text } : await service.send('GET', path, { headers: { accept: 'text/html' } });
      expect([href, target.status]).toEqual([href, 200]);
      if (anchor !== undefined) expect([href, target.text.includes(`id="${anchor}"`)]).toEqual([href, true]);
    }
  });

  test('have the anchors of the checks', () => {
    expect(anchorOf('`read_models`')).toBe('read_models');
    expect(
      guideHtml('# A `b`\n\n`<script>` [x](other.md) [y](runbook.md#a-b) ![<z>](a.png) [e](errors.md#e)', '/surety'),
    ).toBe(
      '<h1 id="a-b">A <code>b</code></h1>\n<p><code>&lt;script&gt;</code> x <a href="/surety/docs/guides/runbook#a-b">y</a> &lt;z&gt; <a href="/surety/docs/errors#e">e</a></p>\n',
    );
  });
});
