import { z } from 'zod';

/** Live data or test data. Nothing of one world is visible in the other (`docs/decisions/0010-live-and-test-data-are-separate.md`). */
export type World = 'live' | 'test';
/** The worlds in which a product or provider is visible. What the back office adds is visible in both, unless its provider is not. */
export type Visibility = World | 'both';
export const world = z.enum(['live', 'test']);
export const visibility = z.enum(['live', 'test', 'both']);

export function worldOf(testMode: boolean): World {
  return testMode ? 'test' : 'live';
}
