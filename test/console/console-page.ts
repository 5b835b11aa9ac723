import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { waitUntil } from '../support/wait-until.ts';
import { sampleKeyOf, type Service, startService } from '../support/service-process.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const axe = readFileSync(join(createRequire(import.meta.url).resolve('axe-core'), '..', 'axe.min.js'), 'utf8');

/** Keys of the sample data, which the first start prints. */
export interface SampleKeys {
  readonly live: string;
  readonly test: string;
  readonly admin: string;
}

/** Builds the console and starts a service with sample data. */
export async function startWithConsole(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ readonly service: Service; readonly keys: SampleKeys }> {
  expect(spawnSync(process.execPath, [join(root, 'tools', 'build.mjs')])).toMatchObject({ status: 0 });
  const service = await startService({ folder, words: ['--sample'], settings: { LOG_LEVEL: 'error', ...settings } });
  const { process: started, adminKey } = service;
  return { service, keys: { live: sampleKeyOf(started), test: sampleKeyOf(started, 'test'), admin: adminKey } };
}

/** A tab with the console. Errors of its scripts fail the test. */
export class ConsolePage {
  readonly page: Page;
  readonly #url: string;
  readonly #errors: string[] = [];

  private constructor(page: Page, url: string) {
    this.page = page;
    this.#url = url;
    page.on('pageerror', (error) => this.#errors.push(String(error)));
    page.on('console', (message) => {
      // A refused request is an error of the browser's log, not of the page.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        this.#errors.push(message.text());
    });
  }

  static async open(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<ConsolePage> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      reducedMotion: 'reduce',
      ...options,
    });
    const page = new ConsolePage(await context.newPage(), url);
    await page.page.goto(`${url}/console/`);
    return page;
  }

  /** Opens the console with a key, by keyboard. */
  static async signedIn(
    browser: Browser,
    url: string,
    key: string,
    options: BrowserContextOptions = {},
  ): Promise<ConsolePage> {
    const console = await ConsolePage.open(browser, url, options);
    await console.signIn(key);
    return console;
  }

  /** Opens another tab of the same browser, in which the same person is signed in. */
  async anotherTab(): Promise<ConsolePage> {
    const tab = new ConsolePage(await this.page.context().newPage(), this.#url);
    await tab.page.goto(`${this.#url}/console/`);
    await tab.page.getByRole('button', { name: 'Sign out' }).waitFor();
    return tab;
  }

  async signIn(key: string): Promise<void> {
    await this.page.getByLabel('API key').focus();
    await this.page.keyboard.type(key);
    await this.page.keyboard.press('Enter');
    await this.page.getByRole('button', { name: 'Sign out' }).waitFor();
  }

  /** Finds something by the box, which "/" focuses. */
  async find(text: string): Promise<void> {
    await this.page.locator('body').click({ position: { x: 2, y: 2 } });
    await this.page.keyboard.press('/');
    await this.page.keyboard.type(text);
    await this.page.keyboard.press('Enter');
  }

  /** Opens the choice of the day and of the instant of a page. */
  async openClocks(): Promise<void> {
    await this.page.locator('.clocks > summary').press('Enter');
  }

  /** Presses a button of the page, outside a dialog. */
  async press(name: string): Promise<void> {
    await this.page.locator('main').getByRole('button', { name, exact: true }).first().click();
  }

  async show(fragment: string): Promise<void> {
    await this.page.goto(`${this.#url}/console/#/${fragment}`);
  }

  /** Waits until the page shows a text. */
  async shows(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor();
  }

  /** Waits until nothing is loading. */
  async settled(): Promise<void> {
    await waitUntil(async () => (await this.page.getByText('Loading …').count()) === 0);
  }

  /** Returns what axe-core finds against the page, in light and dark. */
  async violations(): Promise<readonly string[]> {
    const found: string[] = [];
    await this.page.evaluate(axe);
    // In the dark only colours differ.
    for (const [colorScheme, options] of [
      ['light', ''],
      ['dark', "{ runOnly: ['color-contrast'] }"],
    ] as const) {
      await this.page.emulateMedia({ colorScheme });
      const results = await this.page.evaluate<{
        readonly violations: readonly {
          readonly id: string;
          readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
        }[];
      }>(`axe.run(${options})`);
      for (const { id, nodes } of results.violations)
        found.push(...nodes.map(({ html, failureSummary }) => `${colorScheme} ${id}: ${html} ${failureSummary}`));
    }
    return found;
  }

  /** Expects that axe-core finds nothing against the screen, and that it fits a phone. */
  async expectAccessible(screen: string): Promise<void> {
    await this.settled();
    expect([screen, await this.violations()]).toEqual([screen, []]);
    await this.page.setViewportSize({ width: 360, height: 740 });
    expect([screen, await this.page.evaluate('document.documentElement.scrollWidth')]).toEqual([screen, 360]);
    await this.page.setViewportSize({ width: 1280, height: 900 });
  }

  /** With `WRITE_DOCS=1` takes the picture of the screen for docs/console.md. */
  async picture(name: string): Promise<void> {
    if (process.env['WRITE_DOCS'] !== '1') return;
    await this.page.emulateMedia({ colorScheme: 'light' });
    await this.page.setViewportSize({ width: 1100, height: 760 });
    await this.page.evaluate('scrollTo(0, 0)');
    await this.page.screenshot({ path: join(root, 'docs', 'images', `console-${name}.png`) });
  }

  /** @throws {Error} with what the scripts of the page have reported */
  async close(): Promise<void> {
    await this.page.context().close();
    expect(this.#errors).toEqual([]);
  }
}
