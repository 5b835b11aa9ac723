import type { Settings } from './config.ts';

type StoreSettings = Pick<Settings, 'dataFolder' | 'eventStoreUrl' | 'mongoUrl' | 'kafkaBrokers'>;

/** Returns what holds the event log, the read models with the records, and the messages, for people. Contains no credentials. */
export function storesInUse({ dataFolder, eventStoreUrl, mongoUrl, kafkaBrokers }: StoreSettings): {
  readonly eventLog: string;
  readonly readModels: string;
  readonly messages: string;
} {
  const embedded = `SQLite in ${dataFolder}`;
  return {
    eventLog: eventStoreUrl === undefined ? embedded : `EventStoreDB at ${withoutCredentials(eventStoreUrl)}`,
    readModels: mongoUrl === undefined ? embedded : `MongoDB at ${withoutCredentials(mongoUrl)}`,
    messages: kafkaBrokers === undefined ? 'in memory' : `Kafka at ${kafkaBrokers.join(',')}`,
  };
}

/** Returns scheme, hosts and path, because parameters may hold a password too. */
export function withoutCredentials(address: string): string {
  // Like the drivers, treats everything before the first @ as credentials.
  const parts = /^([a-z+]+:\/\/)?(?:[^@]*@)?([\w.:,[\]-]+)(\/[\w.-]*)?(?:\?[^@]*)?$/i.exec(address);
  return parts === null ? '(address omitted: it may contain credentials)' : parts.slice(1).join('');
}
