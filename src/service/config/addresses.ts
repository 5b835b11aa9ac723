import type { Settings } from './config.ts';

/**
 * Returns what holds the event log, the read models with the records, and the messages, for people. Contains no
 * credentials.
 */
export function storesInUse({ dataFolder, servers }: Pick<Settings, 'dataFolder' | 'servers'>): {
  readonly eventLog: string;
  readonly readModels: string;
  readonly messages: string;
} {
  const embedded = `SQLite in ${dataFolder}`;
  if (servers === undefined) return { eventLog: embedded, readModels: embedded, messages: 'in memory' };
  return {
    eventLog: `EventStoreDB at ${withoutCredentials(servers.eventStoreUrl)}`,
    readModels: `MongoDB at ${withoutCredentials(servers.mongoUrl)}`,
    messages: `Kafka at ${servers.kafka.brokers.join(',')}`,
  };
}

/** Returns scheme, hosts and path, because parameters may hold a password too. */
export function withoutCredentials(address: string): string {
  // Like the drivers, treats everything before the first @ as credentials.
  const parts = /^([a-z+]+:\/\/)?(?:[^@]*@)?([\w.:,[\]-]+)(\/[\w.-]*)?(?:\?[^@]*)?$/i.exec(address);
  return parts === null ? '(address omitted: it may contain credentials)' : parts.slice(1).join('');
}
