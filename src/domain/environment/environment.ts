import { z } from 'zod';
import type { Aggregate } from '#event-sourcing/aggregate.ts';
import { defineEvent, type EventOf, type RecordedEvent } from '#event-sourcing/event.ts';
import { uuid } from '#event-sourcing/identifiers.ts';
import type { TimeZone } from '../values/dates.ts';

export const environmentStream = (environmentId: number): string => `environment-${environmentId}`;

const EnvironmentCreated = defineEvent('EnvironmentCreated.v1', 'An environment of a merchant was created.', {
  environmentId: z.int(),
  environmentName: z.string(),
  testMode: z.boolean(),
  clientId: uuid,
  merchantId: uuid.describe('Tenant id of its merchant.'),
  timeZone: z.string().describe('IANA name: the zone of the days of its policies and claims.'),
});

export type EnvironmentEvent = EventOf<typeof EnvironmentCreated>;

export interface EnvironmentState {
  readonly environmentId: number;
  readonly environmentName: string;
  readonly testMode: boolean;
  readonly clientId: string;
  readonly merchantId: string;
  readonly timeZone: TimeZone;
}

function evolve(_state: EnvironmentState | undefined, event: RecordedEvent<EnvironmentEvent>): EnvironmentState {
  const { effectiveAt: _, ...state } = event.data;
  return state;
}

export const environment: Aggregate<EnvironmentState, EnvironmentEvent> = {
  category: 'environment',
  events: [EnvironmentCreated],
  evolve,
};

/**
 * The environment a command acts in. The key of a merchant selects it; an administrator names it as `environment_id`.
 */
export interface ActingEnvironment {
  readonly environmentId: number;
  /** Tenant id of the merchant. */
  readonly merchantId: string;
  readonly testMode: boolean;
}
