import {
  type ProviderEvent,
  type ProviderState,
  provider,
  providerStream,
} from '../../src/domain/provider/provider.ts';
import type { CommandContext } from '../command.ts';
import { type ExistingStream, requireExisting } from '../shared/require-existing.ts';

/** Finds the provider that a command changes. @throws {Refusal} `provider_not_found` */
export async function findTargetProvider(
  context: CommandContext,
  providerId: string,
): Promise<ExistingStream<ProviderState, ProviderEvent>> {
  const loaded = await context.loadTarget(provider, providerStream(providerId));
  return requireExisting(loaded, 'provider_not_found', `There is no provider ${providerId}`);
}
