import type { CommandContext } from '../command.ts';

/** Returns whether the command may act on what a merchant owns: an administrator on all, a merchant on its own in its own world. */
export function isOwn(
  { environmentIfAny: acting }: CommandContext,
  owner: { readonly merchantId: string; readonly testMode: boolean },
): boolean {
  return acting === undefined || (acting.merchantId === owner.merchantId && acting.testMode === owner.testMode);
}
