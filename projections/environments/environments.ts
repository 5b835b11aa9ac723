import { z } from 'zod';
import type { EnvironmentEvent } from '#domain/environment/environment.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { defineProjection } from '../projection.ts';
import type { ResourceOf } from '../schema.ts';

export const environmentSchema = z
  .strictObject({
    environment_name: z.string(),
    test_mode: z.boolean(),
    client_id: z.string(),
    time_zone: z
      .string()
      .meta({ description: 'IANA time zone: days of its policies and claims are days of this zone' }),
  })
  .meta({ id: 'Environment' });

export const environmentItemSchema = z
  .strictObject({ environment_id: z.int(), ...environmentSchema.shape })
  .meta({ id: 'EnvironmentItem' });

export interface EnvironmentDocument extends ResourceOf<typeof environmentSchema> {
  /** Tenant id of its merchant. */
  readonly merchant_id: string;
}

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
