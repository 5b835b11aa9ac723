import { z } from 'zod';

/**
 * Live data or test data. Nothing of one mode is visible in the other
 * (`docs/decisions/0010-live-and-test-data-are-separate.md`).
 */
export type Mode = 'live' | 'test';
/**
 * The modes in which a product or provider is visible. What the platform adds is visible in both, unless its provider
 * is not.
 */
export type Visibility = Mode | 'both';
export const visibility = z.enum(['live', 'test', 'both']).describe('Where it is visible: live, test or both.');

export function modeOf(testMode: boolean): Mode {
  return testMode ? 'test' : 'live';
}
