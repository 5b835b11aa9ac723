import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe } from '@jest/globals';

const canStartServers = existsSync(fileURLToPath(new URL('../../../../shared/servers', import.meta.url)));

/** Variables that enable suites on servers. A suite that starts its servers does not connect to the ones they name. */
export type ServerVariable = 'MONGODB_URL' | 'KAFKA_BROKERS';

/**
 * Declares a suite that starts separate servers, which it may kill or freeze. The suite is skipped, with the reason in
 * its title, when a variable is not set, when `../shared/servers` is missing, or for `furtherReason`.
 */
export function describeOwnServers(
  variables: readonly ServerVariable[],
  title: string,
  suite: () => void,
  furtherReason?: string,
): void {
  const missing = variables.filter((name) => !process.env[name]);
  const reason =
    missing.length > 0 ? `${missing.join(' and ')} not set` : canStartServers ? furtherReason : 'no ../shared/servers';
  const describeIfPossible = reason === undefined ? describe : describe.skip;
  describeIfPossible(reason === undefined ? title : `${title} (skipped: ${reason})`, suite);
}
