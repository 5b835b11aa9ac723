import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe } from '@jest/globals';

const canStartServers = existsSync(fileURLToPath(new URL('../../../../shared/servers', import.meta.url)));

/** Variables that turn suites on servers on. A suite on servers of its own does not connect to the servers that they name. */
export type ServerVariable = 'MONGODB_URL' | 'KAFKA_BROKERS';

/**
 * Declares a suite that starts servers of its own, which it may kill or freeze. The suite is skipped, and its name gives the
 * reason, when one of the variables is not set, when `../shared/servers` is missing, or for the reason that the caller adds.
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
