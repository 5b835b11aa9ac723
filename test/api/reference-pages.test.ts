import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { programVersion } from '#service/config/package-folder.ts';
import { PROBLEM_CODES } from '#http/api/messages/problem-types.ts';
import { startApiService } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';

const service = await startSuiteService();

const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

describe('The pages of the API reference', () => {
  test('begin with the operations', async () => {
    const { info } = (await service.send('GET', '/openapi.json')).json as { info: { description: string } };
    expect(info.description.length).toBeLessThan(1_500);
  });

  test.each(['/docs', '/docs/'])('%s names only existing files', async (path) => {
    const page = await service.send('GET', path);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const named = [...page.text.matchAll(/(?:src|href|data-document)="([^"]+)"/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(5);
    for (const name of named) {
      const { pathname, origin } = new URL(name, `${service.url}${path}`);
      expect([name, origin]).toEqual([name, service.url]);
      expect([name, (await service.send('GET', pathname, { headers: { accept: '*/*, text/html' } })).status]).toEqual([
        name,
        200,
      ]);
    }
  });

  test('the page has no inline script or style and loads only from the service', async () => {
    const page = await service.send('GET', '/docs/');
    expect(page.text).not.toMatch(/<script>|<style|\son\w+=|\sstyle=/);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  test.each(FILES)('%s is the file of the package, and 304 for its ETag', async (name) => {
    const file = fileURLToPath(new URL(`../../node_modules/swagger-ui-dist/${name}`, import.meta.url));
    const response = await fetch(`${service.url}/docs/${name}`);
    expect(Buffer.from(await response.arrayBuffer()).equals(readFileSync(file))).toBe(true);
    const etag = response.headers.get('etag') ?? '';
    const again = await service.send('GET', `/docs/${name}`, { headers: { 'If-None-Match': etag } });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    const head = await service.send('HEAD', `/docs/${name}`);
    expect([head.status, head.headers.get('content-length'), head.text]).toEqual([
      200,
      String(readFileSync(file).length),
      '',
    ]);
  });

  test('other files of the package are not served', async () => {
    for (const name of ['index.html', 'swagger-initializer.js', '../package.json', 'swagger-ui.js']) {
      expect([name, (await service.send('GET', `/docs/${name}`)).status]).toEqual([name, 404]);
    }
  });

  test('the type of a problem links to the section of its code', async () => {
    const { json } = await service.send('GET', '/api/v1/policies/');
    const [path = '', anchor] = (json.type as string).split('#');
    const page = await service.send('GET', path);
    expect(page.text).toContain(`<section id="${anchor}">`);
    for (const code of PROBLEM_CODES) expect(page.text).toContain(`<section id="${code}">`);
  });

  test('the page of events has a section with the fields of each event', async () => {
    const page = await service.send('GET', '/docs/events');
    expect(page.text).toContain('<section id="PolicyRenewed.v1">');
    expect(page.text).toContain('<td><code>term.premium</code></td><td>money</td>');
  });

  test('the documents name PUBLIC_URL as their server, and links of pages its path', async () => {
    const outside = await startApiService({ publicUrl: 'https://surety.example/base' });
    try {
      const { json } = await outside.send('GET', '/openapi.json');
      expect(json.servers).toMatchObject([{ url: 'https://surety.example/base' }]);
      expect(json.info).toMatchObject({ version: '2.0.0', 'x-program-version': programVersion() });
      const { servers } = (await outside.send('GET', '/asyncapi.json')).json;
      expect(servers.feed).toMatchObject({ protocol: 'https', host: 'surety.example', pathname: '/base' });
      const page = await outside.send('GET', '/docs/public-events/');
      expect(page.text).toContain('href="/base/docs/public-events/surety.policy.purchased.v1.json"');
      expect(page.text).toContain('href="/base/asyncapi.json"');
    } finally {
      await outside.stop();
    }
  });
});
