import type { AdminCommands } from '../admin/admin-commands.ts';

/**
 * The office, but quotes are requested only when the read models show all it did before: else a product that was just
 * added would not be offered, and the answer of the request's key would stay without it.
 */
export function quotingWhenCaughtUp(office: AdminCommands, level: (position: bigint) => Promise<void>): AdminCommands {
  let last = 0n;
  return {
    ...office,
    run: async (name, body, key) => {
      if (name === 'RequestQuotes') await level(last);
      const outcome = await office.run(name, body, key);
      if (outcome.position > last) last = outcome.position;
      return outcome;
    },
  };
}
