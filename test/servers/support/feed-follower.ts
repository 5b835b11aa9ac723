import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { StoredEvent } from '../../../src/event-store/event-store.ts';
import type { Service } from '../../support/service-process.ts';
import { messageOf } from '../../support/translator.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** Less than the service waits for its stores. */
const REQUEST_TIMEOUT_MS = 5_000;
const POLL_MS = 1_000;
const RETRY_MS = 100;

/** A consumer that follows the feed of the platform through an api process, whatever fails. */
export class FeedFollower {
  /** Ids of the events, in the order in which they were served. */
  readonly #served: string[] = [];
  readonly #serviceOf: () => Service;
  #isEnded = false;
  #refusal: string | undefined;

  /** @param serviceOf returns the api process that runs; throws while none does */
  constructor(serviceOf: () => Service) {
    this.#serviceOf = serviceOf;
    void this.#follow();
  }

  end(): void {
    this.#isEnded = true;
  }

  /** Waits until all public events of the log were served, and checks that each was served once and in the order of the log. */
  async expectAllOf(log: readonly StoredEvent[]): Promise<void> {
    const expected = log.flatMap((event) => {
      const topic = messageOf(event)?.topic;
      return topic === undefined || topic.startsWith('surety.test.') ? [] : [event.id];
    });
    await waitUntil(
      () => this.#served.length >= expected.length,
      () => `the feed has served ${this.#served.length} of ${expected.length} events; ${this.#refusal ?? 'no refusal'}`,
    );
    expect(this.#served.slice(0, expected.length)).toEqual(expected);
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
    const response = await this.#serviceOf().request(path, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    const body: unknown = await response.json();
    if (response.status === 200) return (body as readonly { readonly id: string }[]).map(({ id }) => id);
    this.#refusal = JSON.stringify(body);
    return undefined;
  }
}
