import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SuretyClient } from '#client/index.ts';
import { launchChromium } from '../support/launch-chromium.ts';
import { sampleKeyOf, startService, temporaryFolder } from '../support/service-process.ts';

const ENTRIES = 1_000;
const ROUNDS = 5;

/**
 * Measures how long the console takes to show a policy with a history of 1,000 entries, from the click to the last
 * entry.
 */
async function main(): Promise<void> {
  const folder = temporaryFolder();
  const service = await startService({
    folder: join(folder, 'data'),
    words: ['--sample'],
    settings: { LOG_LEVEL: 'error' },
  });
  const browser = await launchChromium();
  try {
    const key = sampleKeyOf(service.process);
    const surety = new SuretyClient({ url: service.url, key });
    const { policy_id } = await surety.policies.get('HAR-HEALTH-0001');
    for (let entry = 0; entry < ENTRIES; entry++)
      await surety.policies.setAutoRenew(policy_id, { auto_renew: entry % 2 === 0 });
    const page = await browser.newPage();
    await page.goto(`${service.url}/console/`);
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await page.evaluate("location.hash = '#/'");
      await page.locator('details.entry').first().waitFor({ state: 'detached' });
      const start = performance.now();
      await page.evaluate(`location.hash = '#/policies/${policy_id}'`);
      await page.locator('details.entry').nth(ENTRIES).waitFor();
      times.push(Math.round(performance.now() - start));
    }
    process.stdout.write(`a history of ${ENTRIES} entries is shown after ${times.join(', ')} ms\n`);
  } finally {
    await browser.close();
    await service.process.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
