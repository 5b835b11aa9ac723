import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ContainerModule } from 'inversify';
import type { CommandPorts } from '../../command-handling/ports.ts';
import { StreamCache } from '../../command-handling/stream-cache.ts';
import type { Settings } from '../../config.ts';
import { ensureSecret, requireSecret } from '../../security/start-secrets.ts';
import { verificationTokens } from '../../security/verification-token.ts';
import { now } from '../clocks.ts';
import { TOKENS } from '../tokens.ts';

/** Binds what commands need: the stores, the clock and random values. */
export function commands(settings: Settings): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.commandPorts).toResolvedValue(
      (eventStore, records, catalogue) => ({
        eventStore,
        records,
        memory: new StreamCache(),
        catalogue,
        verificationToken: signer(settings),
        now,
        randomId: randomUUID,
        randomBytes,
        pause: async (milliseconds) => {
          await pause(milliseconds);
        },
      }),
      [TOKENS.eventStore, TOKENS.records, TOKENS.catalogue],
    );
  });
}

/** Reads the secret when something is signed, and not before: most tools run without one. */
function signer(settings: Settings): CommandPorts['verificationToken'] {
  let sign: CommandPorts['verificationToken'] | undefined;
  return (tenantId, serial) => (sign ??= verificationTokens(secretOf(settings)))(tenantId, serial);
}

/** Records that several processes share have one secret: a service may create it there, a tool may not. */
function secretOf({ secret, mongoUrl, dataFolder }: Settings): string {
  if (secret !== undefined) return secret;
  return mongoUrl === undefined ? ensureSecret(dataFolder, randomBytes).value : requireSecret(dataFolder);
}
