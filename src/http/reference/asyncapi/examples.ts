import { structuredEvent } from '#public-events/translate.ts';
import type { Json } from '../openapi/page.ts';
import recorded from './examples.json' with { type: 'json' };

/** A public message of the examples of the API reference, with its value parsed. */
export interface MessageExample {
  readonly topic: string;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Json;
}

/** The first message of each type in the examples of the reference. A test records them from a running service. */
export const MESSAGE_EXAMPLES: Readonly<Record<string, MessageExample>> = recorded;

/** Returns the example as the feed serves it. */
export function structuredExample({ payload, ...message }: MessageExample): Json {
  return JSON.parse(structuredEvent({ ...message, value: JSON.stringify(payload) })) as Json;
}
