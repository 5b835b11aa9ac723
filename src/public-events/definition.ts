import { z } from 'zod';
import { uuid } from '#event-sourcing/identifiers.ts';
import { day } from '#event-sourcing/time.ts';
import type { DomainEvent, RecordedEvent } from '#event-sourcing/event.ts';
import type { InternalEventType } from '#domain/public-events.ts';
import { apiName } from '#domain/values/fields.ts';
import type { Visibility } from '#domain/values/mode.ts';

/** The subjects of public events; each has its own topic. */
export const SUBJECTS = ['policies', 'claims', 'merchants', 'providers', 'products'] as const;
export type Subject = (typeof SUBJECTS)[number];

/**
 * One type of public event: its name (`ce_type`), description and data, and how the data are made from a stored event.
 * It never changes once published; a change needs a new type.
 */
export interface PublicEvent<E extends DomainEvent = DomainEvent> {
  readonly type: string;
  readonly description: string;
  readonly schema: z.ZodObject<z.ZodRawShape, z.core.$strict>;
  readonly translate: (event: RecordedEvent<E>) => object;
}

/** The public events of one kind of aggregate. */
export interface PublicEventsOf<E extends DomainEvent> {
  readonly subject: Subject;
  readonly aggregateIdOf: (data: E['data']) => string;
  readonly visibilityOf: (data: E['data']) => Visibility;
  readonly events: {
    readonly [Type in Exclude<E['type'], InternalEventType>]: PublicEvent<Extract<E, { readonly type: Type }>>;
  };
}

type DataOf<Shape extends z.ZodRawShape> = z.infer<z.ZodObject<Shape, z.core.$strict>>;

/**
 * Returns the function that declares a public event of an aggregate, whose data begin with the same ids. The compiler
 * checks the translated data against the schema.
 */
export function publicEventsWith<Ids extends z.ZodRawShape, Data>(ids: Ids, idsOf: (data: Data) => DataOf<Ids>) {
  return <E extends DomainEvent<string, Data>, Shape extends z.ZodRawShape>(
    type: string,
    description: string,
    shape: Shape,
    translate: (event: RecordedEvent<E>) => DataOf<Shape>,
  ): PublicEvent<E> => ({
    type,
    description,
    schema: z.strictObject({ ...ids, ...shape }),
    translate: (event) => ({ ...idsOf(event.data), ...translate(event) }),
  });
}

/** Returns the names of the fields in the API. */
export function namesOf(changes: object): string[] {
  return Object.keys(changes).map(apiName);
}

export const fields = {
  effectiveAt: day.describe('Business day on which the event takes effect.'),
  tenantId: uuid.describe('The merchant.'),
  environmentId: z.int().describe("The merchant's environment in which it happened."),
  customerId: uuid.describe('The customer.'),
  policyId: uuid.describe('The policy.'),
  claimId: uuid.describe('The claim.'),
  providerId: uuid.describe('The insurer.'),
  productId: uuid.describe('The product.'),
  currency: z.string().describe('ISO 4217 code of the amounts.'),
  policyNumber: z.string().describe('The number of the policy.'),
  productType: z.string().describe('The type of the product.'),
  changed: z.array(z.string()).describe('Names of the fields that changed; their values are read over the API.'),
};

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Returns the JSON Schema (2020-12) of the data of a public event. It is open, because members may be added. */
export function jsonSchemaOf({ type, description, schema }: PublicEvent): JsonSchema {
  const { $schema, ...members } = openSchemaOf(schema);
  return { $schema, title: type, description, ...members } as JsonSchema;
}

const MONEY = 'Decimal string with two decimals.';

/**
 * Converts a schema to a JSON Schema (2020-12) whose objects may have further members, and whose amounts say what they
 * are.
 */
export function openSchemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      const { additionalProperties, pattern, description } = jsonSchema;
      if (additionalProperties === false) delete jsonSchema.additionalProperties;
      if (pattern?.endsWith('\\.\\d{2}$') === true)
        jsonSchema.description = description === undefined ? MONEY : `${description} ${MONEY}`;
    },
  });
}
