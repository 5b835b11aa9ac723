import { setTimeout as pause } from 'node:timers/promises';
import type { Locator, Route } from 'playwright-core';
import { waitUntil, waitUntilIgnoringErrors } from '../support/wait-until.ts';
import type { ConsolePage } from './console-page.ts';

/** How a person sends a form. */
export const GESTURES = ['click', 'double click', 'Enter twice', 'Enter held'] as const;
/** What becomes of the request. */
export const FATES = [
  'answered',
  'answered late',
  'lost before it arrives',
  'lost when it was executed',
  'killed before it arrives',
  'killed while it is executed',
  'killed when it was executed',
] as const;
/** What the person does meanwhile. */
export const SEQUELS = ['nothing', 'reload', 'back and forward', 'close and open'] as const;

export interface Disturbance {
  readonly gesture: (typeof GESTURES)[number];
  readonly fate: (typeof FATES)[number];
  readonly sequel: (typeof SEQUELS)[number];
  /** When the service is killed while it executes the request. */
  readonly killAfterMs: number;
}

/** What the page shows of forms. */
interface Shown {
  /** Forms in `sessionStorage` whose command has had no answer. */
  readonly unanswered: number;
  readonly dialog: string | undefined;
  readonly isBusy: boolean;
  readonly refusal: string | undefined;
}

const READ_PAGE = `(() => {
  const dialog = document.querySelector('dialog[open]');
  return {
    unanswered: Object.keys(sessionStorage).filter((name) => name.startsWith('surety.attempt ')).length,
    dialog: dialog?.innerText,
    isBusy: dialog !== null && dialog.querySelector('button[type=submit]:enabled') === null,
    refusal: dialog?.querySelector('[role=alert]')?.innerText,
  };
})()`;

/** One policy's page, on which forms are sent and disturbed. */
export class Walk {
  readonly #tab: ConsolePage;
  readonly #restart: () => Promise<void>;
  #restarted = Promise.resolve();
  /** Keys of the forms that are done: one that was closed may still be sent again. */
  readonly #doneKeys = new Set<string | undefined>();

  constructor(tab: ConsolePage, restart: () => Promise<void>) {
    this.#tab = tab;
    this.#restart = restart;
  }

  dialog(form: string): Locator {
    return this.#tab.page.getByRole('dialog', { name: form });
  }

  async open(form: string): Promise<void> {
    await this.#tab.press(form);
    await this.dialog(form).getByRole('button', { name: 'Close' }).waitFor();
  }

  /** Sends the form that is open, disturbed, and goes on until it is done. @throws {Error} where it is refused */
  async send(form: string, { gesture, fate, sequel, killAfterMs }: Disturbance): Promise<void> {
    const { page } = this.#tab;
    const sent: (string | undefined)[] = [];
    const released = Promise.withResolvers<void>();
    const disturb = async (route: Route): Promise<void> => {
      const request = route.request();
      if (request.method() === 'GET' || request.url().includes('preview=true')) return await route.continue();
      const key = request.headers()['idempotency-key'];
      if (this.#doneKeys.has(key)) return await route.continue();
      sent.push(key);
      if (sent.length > 1 || fate === 'answered') return await route.continue();
      if (fate === 'lost before it arrives') return await route.abort();
      if (fate === 'killed before it arrives') {
        this.#kill();
        return await route.abort();
      }
      const answer = route.fetch().catch(() => undefined);
      if (fate === 'killed while it is executed') {
        await pause(killAfterMs);
        this.#kill();
        await answer;
        return await route.abort();
      }
      const response = await answer;
      if (fate === 'killed when it was executed') this.#kill();
      if (fate !== 'answered late' || response === undefined) return await route.abort();
      await released.promise;
      await route.fulfill({ response });
    };
    const handler = async (route: Route): Promise<void> => {
      // The page that has sent the request may be gone.
      await disturb(route).catch(() => undefined);
    };
    await page.route('**/api/v1/**', handler);
    const dialog = this.dialog(form);
    const preview = dialog.getByRole('button', { name: 'Preview' });
    if ((await preview.count()) > 0) {
      await this.#press(preview, gesture, async () => {
        await dialog.locator('tfoot').waitFor();
        // On a phone the button stays in its place.
        await dialog.getByRole('button', { name: form }).hover();
      });
      await this.#settle();
      if (sent.length > 0) throw new Error(`${gesture} on Preview has sent ${form}, which was not yet seen`);
    }
    await this.#press(dialog.getByRole('button', { name: form }), gesture);
    if (sequel === 'reload')
      await waitUntilIgnoringErrors(async () => {
        await page.reload();
        // The service may be killed before its script is loaded.
        await page.locator('#console > *').first().waitFor({ timeout: 5_000 });
        return true;
      });
    if (sequel === 'back and forward') {
      // After a reload the browser loads the page again, which it cannot while the service is down.
      await page.goBack().catch(async () => {
        await this.#restarted;
        await page.reload();
      });
      await page.getByRole('heading', { name: 'Policies' }).waitFor();
      await page.goForward();
    }
    if (sequel === 'close and open') {
      await page.keyboard.press('Escape');
      const button = page.locator('main').getByRole('button', { name: form, exact: true });
      // A command that was executed meanwhile may have no button any more.
      await button.click({ timeout: 3_000 }).catch(() => undefined);
    }
    released.resolve();
    await this.#finish(form);
    await this.#restarted;
    await page.unroute('**/api/v1/**', handler);
    for (const key of sent) this.#doneKeys.add(key);
  }

  #kill(): void {
    this.#restarted = this.#restart();
  }

  /** Presses a button. What is pressed twice is pressed again when `between` has come. */
  async #press(button: Locator, gesture: Disturbance['gesture'], between?: () => Promise<void>): Promise<void> {
    const { keyboard, mouse } = this.#tab.page;
    if (gesture === 'double click' && between === undefined) return await button.dblclick();
    if (gesture === 'click' || gesture === 'double click') {
      await button.click();
      await between?.();
      if (gesture === 'click') return;
      await mouse.down({ clickCount: 2 });
      return await mouse.up({ clickCount: 2 });
    }
    await button.focus();
    await keyboard.down('Enter');
    await between?.();
    if (gesture === 'Enter twice') {
      await keyboard.up('Enter');
      await keyboard.down('Enter');
    } else for (let repeated = 0; repeated < 5; repeated += 1) await keyboard.down('Enter');
    await keyboard.up('Enter');
  }

  /** Sends again what has had no answer, until nothing waits for one. */
  async #finish(form: string): Promise<void> {
    const { page } = this.#tab;
    await waitUntil(
      async () => {
        await this.#settle();
        const { unanswered, dialog, isBusy, refusal } = await page.evaluate<Shown>(READ_PAGE);
        if (dialog === undefined) return unanswered === 0;
        if (isBusy) return false;
        if (dialog.includes('no answer has come')) await this.dialog(form).getByRole('button', { name: form }).click();
        else if (refusal !== undefined) throw new Error(`${form} is refused: ${refusal}`);
        else if (unanswered === 0) await this.dialog(form).getByRole('button', { name: 'Close' }).click();
        return false;
      },
      async () => await page.evaluate(READ_PAGE),
    );
  }

  async #settle(): Promise<void> {
    await this.#tab.page.getByRole('button', { name: 'Sign out' }).waitFor();
    await this.#tab.settled();
  }
}
