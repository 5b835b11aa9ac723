import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { StoredEvent } from '#stores/event-log/event-log.ts';
import type { Service } from '../../support/service-process.ts';
import { messageOf } from '../../support/translator.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** Less than the service waits for its stores. */
const REQUEST_TIMEOUT_MS = 5_000;
const POLL_MS = 1_000;
const RETRY_MS = 100;

/** A consumer that follows the feed of the platform through several api processes by turns, whatever fails. */
export class FeedFollower {
  /** Ids of the events, in the order in which they were served. */
  readonly #served: string[] = [];
  readonly #services: readonly (() => Service)[];
  #requests = 0;
  #isEnded = false;
  #lastRefusal: string | undefined;
  /** Responses that a consumer must never get for a cursor that it was served. */
  readonly #errors: string[] = [];

  /** @param services each returns an api process; throws while it does not run */
  constructor(services: readonly (() => Service)[]) {
    this.#services = services;
    void this.#follow();
  }

  end(): void {
    this.#isEnded = true;
  }

  /**
   * Waits until all public events of the log were served, and checks that each was served once and in the order of the
   * log.
   */
  async expectAllOf(log: readonly StoredEvent[]): Promise<void> {
    const expected = log.flatMap((event) => {
      const topic = messageOf(event)?.topic;
      return topic === undefined || topic.startsWith('surety.test.') ? [] : [event.id];
    });
    await waitUntil(
      () => this.#served.length >= expected.length,
      () =>
        `the feed has served ${this.#served.length} of ${expected.length} events; ${this.#lastRefusal ?? 'no refusal'}`,
    );
    expect(this.#served.slice(0, expected.length)).toEqual(expected);
    expect(this.#errors).toEqual([]);
  }

  async #follow(): Promise<void> {
    while (!this.#isEnded) {
      const cursor = this.#served.length === 0 ? 'after=0' : `lastEventId=${this.#served.at(-1)}`;
      const ids = await this.#read(`/api/v1/events/?limit=20&timeout=${POLL_MS}&${cursor}`).catch(() => undefined);
      if (ids === undefined) await pause(RETRY_MS);
      else this.#served.push(...ids);
    }
  }

  async #read(path: string): Promise<readonly string[] | undefined> {
    const serviceOf = this.#services[this.#requests++ % this.#services.length];
    if (serviceOf === undefined) return undefined;
    const response = await serviceOf().request(path, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    const body: unknown = await response.json();
    if (response.status === 200) return (body as readonly { readonly id: string }[]).map(({ id }) => id);
    this.#lastRefusal = JSON.stringify(body);
    if (response.status < 500) this.#errors.push(this.#lastRefusal);
    return undefined;
  }
}
