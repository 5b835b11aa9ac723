import type { EnvironmentEvent } from '../../src/domain/environment/environment.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import type { TimeZone } from '../../src/domain/values/dates.ts';
import { defineProjection } from '../projection.ts';

export interface EnvironmentDocument {
  readonly environment_name: string;
  readonly test_mode: boolean;
  readonly client_id: string;
  /** Tenant id of its merchant. */
  readonly merchant_id: string;
  readonly time_zone: TimeZone;
}

/** Environments by their number as text. */
export const environments = defineProjection<EnvironmentDocument>({
  name: 'environments',
  version: 1,
  categories: ['environment'],
  indexNames: ['merchant'],
  fold: (_document, event) => fold(event as RecordedEvent<EnvironmentEvent>),
  indexes: (document) => ({ merchant: document.merchant_id }),
});

function fold({ data }: RecordedEvent<EnvironmentEvent>): EnvironmentDocument {
  return {
    environment_name: data.environmentName,
    test_mode: data.testMode,
    client_id: data.clientId,
    merchant_id: data.merchantId,
    time_zone: data.timeZone,
  };
}
