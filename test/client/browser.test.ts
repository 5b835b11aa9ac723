import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { SuretyClient } from '#client/index.ts';
import { describeInChromium } from '../support/chromium.ts';
import { cleanUp, sampleKeyOf, type Service, startService, temporaryFolder } from '../support/service-process.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const dist = join(root, 'clients', 'typescript', 'dist');

/** A page whose script has the key, as a console would have it: a merchant's key does not belong in a page. */
const page = (key: string): string => `<!doctype html><title>Buy</title><output></output><script type="module">
  import { SuretyClient } from '/page/index.js';
  const surety = new SuretyClient({ key: ${JSON.stringify(key)} });
  const customer_metadata = { first_name: 'Ada', last_name: 'Obi', email: 'ada@page.example', date_of_birth: '1990-04-12' };
  const [quote] = await surety.quotes.request({ customer_metadata, insurance_details: { product_type: 'Life' } });
  const policy = await surety.policies.purchase({ quote_code: quote.quote_code });
  const read = await surety.policies.get(policy.policy_id);
  const error = await surety.policies.purchase({ quote_code: quote.quote_code }).catch((one) => one);
  document.querySelector('output').textContent = [read.policy_number, error.name, error.code].join(' ');
</script>`;

describeInChromium('The client in TypeScript, in a page of the service', (launch) => {
  const folder = temporaryFolder();
  let service: Service;
  let browser: Browser;

  beforeAll(async () => {
    expect(spawnSync(process.execPath, [join(root, 'tools', 'build.mjs')])).toMatchObject({ status: 0 });
    service = await startService({ folder: join(folder, 'data'), words: ['--sample'] });
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await cleanUp(folder, [service.process]);
  });

  test('quotes and buys', async () => {
    const key = sampleKeyOf(service.process);
    const tab = await browser.newPage();
    const errors: string[] = [];
    tab.on('pageerror', (error) => errors.push(String(error)));
    await tab.route('**/page/**', async (route) => {
      const name = new URL(route.request().url()).pathname.slice('/page/'.length);
      if (name === '') await route.fulfill({ contentType: 'text/html', body: page(key) });
      else await route.fulfill({ path: join(dist, name) });
    });
    await tab.goto(`${service.url}/page/`);
    await tab.waitForFunction("document.querySelector('output').textContent !== ''");
    const [policyNumber = '', ...failure] = (await tab.textContent('output'))?.split(' ') ?? [];
    expect([failure, errors]).toEqual([['ConflictError', 'quote_already_purchased'], []]);
    const surety = new SuretyClient({ url: service.url, key });
    expect(await surety.policies.get(policyNumber)).toMatchObject({
      policy_holder: { customer_email: 'ada@page.example' },
    });
  });
});
