import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { get, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import { anchorOf, guideHtml, GUIDES } from '../../src/http/routers/guides.ts';
import { startSuiteService } from '../support/suite-service.ts';

const consoleFolder = mkdtempSync(join(tmpdir(), 'surety-console-'));
afterAll(() => rmSync(consoleFolder, { recursive: true }));
const SCRIPT = 'console.log("ü");\n'.repeat(1_000);
for (const [name, text] of [
  ['index.html', '<!doctype html>'],
  ['console.js', SCRIPT],
  ['console.css', 'a {}'],
] as const)
  writeFileSync(join(consoleFolder, name), text);

const service = await startSuiteService({ http: { consoleFolder } });
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
  test.each([
    ['text/html,application/xhtml+xml', '/console/'],
    ['*/*', '/docs/'],
    ['application/json', '/docs/'],
  ])('leads %s to %s', async (accept, location) => {
    const { status, headers } = await service.send('GET', '/', { headers: { accept } });
    expect([status, headers.get('location'), headers.get('vary')]).toEqual([302, location, 'Accept']);
  });

  test('leads to the reference where the console was not built', async () => {
    const { headers } = await withoutConsole.send('GET', '/', { headers: { accept: 'text/html' } });
    expect(headers.get('location')).toBe('/docs/');
    expect((await withoutConsole.send('GET', '/console/')).status).toBe(404);
  });
});

describe('/console/', () => {
  test('is a page that may load nothing from elsewhere', async () => {
    const { status, headers, text } = await service.send('GET', '/console/');
    expect([status, text]).toEqual([200, '<!doctype html>']);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob: data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
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
  const read = (name: string): string =>
    readFileSync(fileURLToPath(new URL(`../../docs/${name}.md`, import.meta.url)), 'utf8');

  test('has the runbook and every page that it links to', () => {
    const linked = [...read('runbook').matchAll(/\]\(([\w-]+)\.md/g)].map(([, name = '']) => name);
    expect(['runbook', ...new Set(linked)].toSorted()).toEqual([...GUIDES].toSorted());
  });

  test.each(GUIDES)('%s has no link that leads nowhere', async (name) => {
    const { status, text } = await service.send('GET', `/docs/guides/${name}`);
    expect(status).toBe(200);
    for (const [, path = '', anchor] of text.matchAll(/href="(\/docs\/guides\/[\w-]+)?#?([^"]*)"/g)) {
      if (path === '' && anchor?.startsWith('http') === true) continue;
      const target = path === '' ? text : (await service.send('GET', path)).text;
      if (anchor !== undefined && anchor !== '') expect(target).toContain(`id="${anchor}"`);
    }
  });

  test('have the anchors of the checks', () => {
    expect(anchorOf('`read_models`')).toBe('read_models');
    expect(guideHtml('# A `b`\n\n`<script>` [x](other.md) [y](runbook.md#a-b)')).toBe(
      '<h1 id="a-b">A <code>b</code></h1>\n<p><code>&lt;script&gt;</code> x <a href="/docs/guides/runbook#a-b">y</a></p>\n',
    );
  });
});
