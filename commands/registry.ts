import { issueApiKey } from './api-key/issue-api-key.ts';
import { revokeApiKey } from './api-key/revoke-api-key.ts';
import type { AnyCommand } from './command.ts';
import { createEnvironment } from './environment/create-environment.ts';
import { confirmKyc } from './merchant/confirm-kyc.ts';
import { registerMerchant } from './merchant/register-merchant.ts';
import { updateMerchant } from './merchant/update-merchant.ts';

/** Every command there is, in the order in which the reference lists them. */
export const COMMANDS: readonly AnyCommand[] = [
  registerMerchant,
  updateMerchant,
  confirmKyc,
  createEnvironment,
  issueApiKey,
  revokeApiKey,
];

const byName = new Map(COMMANDS.map((command) => [command.name, command]));

/** The command of that name, as in `POST /api/v1/admin/commands/{name}`. */
export function findCommand(name: string): AnyCommand | undefined {
  return byName.get(name);
}
