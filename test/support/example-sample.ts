import { platformCommands } from '#cli/platform-commands.ts';
import { dayOf } from '#event-sourcing/time.ts';
import { createSample } from '#cli/sample/create-sample.ts';
import { quoteWhenCaughtUp } from '#cli/sample/ensure-sample.ts';
import { type ApiService, SECRET } from './api-service.ts';
import { verificationTokens } from '#service/security/verification-token.ts';

/** Creates the sample data. Their ids derive from the steps of the sample, so they are the same at every start. */
export async function createExampleSample({ parts, projector, clock }: ApiService): Promise<void> {
  const commands = quoteWhenCaughtUp(
    platformCommands(parts.commandPorts, 'sample'),
    async (position) => void (await projector.waitFor(position, 10_000)),
  );
  await createSample(commands, dayOf(clock.now), verificationTokens(SECRET));
}
