import * as fc from 'fast-check';
import { z } from 'zod';
import type { EventDefinition } from '#event-sourcing/event.ts';

type Schema = z.core.JSONSchema.BaseSchema & { readonly personal?: string };

/** Every personal text that `anyDataOf` generates contains this mark; no other text does. */
export const PERSONAL_MARK = 'PERSONAL';

/** Generates event data that the schema accepts, with `PERSONAL_MARK` in every text that is marked as personal. */
export function anyDataOf({ schema }: Pick<EventDefinition, 'schema'>): fc.Arbitrary<Record<string, unknown>> {
  return anyOf(z.toJSONSchema(schema) as Schema, false) as fc.Arbitrary<Record<string, unknown>>;
}

function anyOf(schema: Schema, inPersonal: boolean): fc.Arbitrary<unknown> {
  const isPersonal = inPersonal || schema.personal !== undefined;
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one) => anyOf(one as Schema, isPersonal)));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.$ref !== undefined) return anyJson(isPersonal);
  const { type } = schema as { readonly type?: string | readonly string[] };
  if (Array.isArray(type)) {
    return fc.oneof(...type.map((one: string) => anyOf({ ...schema, type: one } as Schema, isPersonal)));
  }
  switch (type) {
    case 'object':
      return anyObject(schema, isPersonal);
    case 'array':
      return fc.array(anyOf((schema.items ?? {}) as Schema, isPersonal), { maxLength: 3 });
    case 'string':
      return anyText(schema, isPersonal);
    case 'integer':
      return fc.nat(1_000_000);
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return anyJson(isPersonal);
  }
}

function anyObject(schema: Schema, isPersonal: boolean): fc.Arbitrary<unknown> {
  const members = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  if (members.length === 0 && typeof schema.additionalProperties === 'object') {
    const name = isPersonal
      ? withMark(fc.string())
      : fc.string({ minLength: 1 }).filter((text) => text !== '__proto__');
    return fc.dictionary(name, anyOf(schema.additionalProperties as Schema, isPersonal), { maxKeys: 3 });
  }
  const model = Object.fromEntries(members.map(([name, member]) => [name, anyOf(member, isPersonal)]));
  return fc.record(model, { requiredKeys: schema.required ?? [] });
}

function anyText(schema: Schema, isPersonal: boolean): fc.Arbitrary<string> {
  if (schema.format === 'uuid') return fc.uuid();
  if (schema.format === 'date') return anyInstant.map((instant) => instant.slice(0, 10));
  if (schema.format === 'date-time') return anyInstant;
  if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern));
  return isPersonal ? withMark(fc.string()) : fc.string();
}

const anyInstant = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

function anyJson(isPersonal: boolean): fc.Arbitrary<unknown> {
  return isPersonal ? withMark(fc.string()) : fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
}

function withMark(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return text.map((some) => `${some}${PERSONAL_MARK}`);
}
