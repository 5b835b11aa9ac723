import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ContainerModule } from 'inversify';
import type { CommandServices } from '#commands/services.ts';
import * as resources from '#projections/resources.ts';
import { SequenceQueue } from '#event-sourcing/executor/sequence-queue.ts';
import { StateCache } from '#event-sourcing/executor/state-cache.ts';
import { merchantTags } from '#domain/tags.ts';
import { decode, encode, keepDecoded } from '#domain/events.ts';
import type { Settings } from '../config/config.ts';
import { secretOf } from '../security/start-secrets.ts';
import { SessionTokens, signTicket } from '../security/session-tokens.ts';
import { verificationTokens } from '../security/verification-token.ts';
import { TOKENS } from '../compose/tokens.ts';
import { now } from '#stores/shared/timing.ts';

export function commands(settings: Settings): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.system).toConstantValue({
      now,
      randomId: randomUUID,
      randomBytes,
      pause: async (milliseconds) => {
        await pause(milliseconds);
      },
    });
    bind(TOKENS.commandPorts).toResolvedValue(
      ({ now, randomId, randomBytes, pause }, eventStore, records, catalogue) => ({
        eventStore,
        records,
        codec: { decode, encode, keepDecoded },
        stateCache: new StateCache(),
        sequences: new SequenceQueue(),
        tagsOf: merchantTags,
        services: {
          catalogue,
          resources,
          ...signersOf(settings),
          saveBlob: async (bytes) => await records.putBlob(bytes),
          revokeKey: async (keyId) => await records.revokeKey(keyId),
          randomBytes,
        },
        now,
        randomId,
        pause,
      }),
      [TOKENS.system, TOKENS.eventStore, TOKENS.records, TOKENS.catalogue],
    );
  });
}

/** Reads the secret with the first token, because most tools run without one. */
function signersOf(settings: Settings): Pick<CommandServices, 'verificationToken' | 'signInTicket'> {
  let made: { readonly verify: CommandServices['verificationToken']; readonly sessions: SessionTokens } | undefined;
  const signers = () => {
    const secret = secretOf(settings);
    return (made ??= { verify: verificationTokens(secret), sessions: new SessionTokens(secret) });
  };
  return {
    verificationToken: (tenantId, serial) => signers().verify(tenantId, serial),
    signInTicket: (...ticket) => signTicket(signers().sessions, ...ticket),
  };
}
