import type { PlatformCommands } from '../platform-commands.ts';

/**
 * Wraps admin commands so that quotes are requested only after the read models reflect all earlier commands. Otherwise
 * a new product would be missing, and the idempotency key of the request would repeat quotes without it.
 */
export function quoteWhenCaughtUp(
  commands: PlatformCommands,
  waitFor: (position: bigint) => Promise<void>,
): PlatformCommands {
  let last = 0n;
  return {
    ...commands,
    run: async (name, body, key) => {
      if (name === 'RequestQuotes') await waitFor(last);
      const outcome = await commands.run(name, body, key);
      if (outcome.position > last) last = outcome.position;
      return outcome;
    },
  };
}
