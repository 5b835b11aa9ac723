import { z } from 'zod';
import {
  type EnvironmentEvent,
  type EnvironmentState,
  environment,
  environmentStream,
} from '#domain/environment/environment.ts';
import { merchantTags } from '#domain/tags.ts';
import type { NewEvent } from '#event-sourcing/event.ts';
import { sequenceStream } from '#event-sourcing/system-events.ts';
import { commandIdOf, type Decision } from '#event-sourcing/executor/command.ts';
import { defineCommand } from '../command.ts';
import { timeZone, UTC } from '#domain/values/dates.ts';
import { findMerchant, findMerchantErrors } from '../merchant/find-merchant.ts';
import { line, shortCodeField } from '../shared/fields.ts';

const SEQUENCE = 'environment';

const input = z.strictObject({
  short_code: shortCodeField,
  environment_name: line(255),
  test_mode: z.boolean(),
  time_zone: timeZone.default(UTC),
});

interface EnvironmentCreation extends Pick<EnvironmentState, 'environmentId' | 'clientId' | 'merchantId'> {
  readonly creation: z.output<typeof input>;
}

function decideCreateEnvironment(
  _state: undefined,
  { creation, ...ids }: EnvironmentCreation,
): NewEvent<EnvironmentEvent>[] {
  const data = {
    ...ids,
    environmentName: creation.environment_name,
    testMode: creation.test_mode,
    timeZone: creation.time_zone,
  };
  return [{ type: 'EnvironmentCreated', data }];
}

export const createEnvironment = defineCommand({
  name: 'CreateEnvironment',
  summary: 'Creates an environment of a merchant in live or test mode.',
  description:
    'A merchant may have several environments. All live environments show the same policies, and so do all test environments.',
  input,
  example: { short_code: 'HAR-6C87', environment_name: 'Production', test_mode: false },
  response: z.strictObject({ environment_id: z.int(), client_id: z.uuid() }),
  errors: findMerchantErrors,
  roles: ['admin'],
  creates: true,
  findTarget: async (commandId, readStream) => {
    const entry = (await readStream(sequenceStream(SEQUENCE))).find((event) => commandIdOf(event) === commandId);
    return entry && environmentStream(entry.revision + 1);
  },
  aggregate: environment,
  decide: decideCreateEnvironment,
  handle: async (creation, context) => {
    const { state: owner } = await findMerchant(context, creation.short_code);
    const ids = { clientId: context.derive('client'), merchantId: owner.tenantId };
    const tags = merchantTags({ merchantId: owner.tenantId, testMode: creation.test_mode });
    const decide = (environmentId: number): Decision => ({
      target: environmentStream(environmentId),
      events: decideCreateEnvironment(undefined, { creation, environmentId, ...ids }),
      tags,
    });
    const writes = context.commit({ ...decide(1), target: sequenceStream(SEQUENCE) });
    return decide(await writes.takeNumber(SEQUENCE));
  },
  result: ({ state }) => ({ environment_id: state.environmentId, client_id: state.clientId }),
});
