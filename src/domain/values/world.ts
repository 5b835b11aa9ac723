import { z } from 'zod';

/** The two worlds; nothing of one is ever seen in the other (`decisions`: Keys, roles, tenancy). */
export type World = 'live' | 'test';
/** Where a product or provider is seen: the back office makes them for both worlds. */
export type Visibility = World | 'both';
export const world = z.enum(['live', 'test']);
export const visibility = z.enum(['live', 'test', 'both']);

export function worldOf(testMode: boolean): World {
  return testMode ? 'test' : 'live';
}
