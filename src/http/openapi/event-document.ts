import { z } from 'zod';
import { AGGREGATES, type EventType, EVENT_DEFINITIONS, type SystemEventType } from '../../domain/events.ts';
import type { EventDefinition, WireName } from '../../event-sourcing/event.ts';
import type { Document, Section } from './document.ts';
import { EVENT_DESCRIPTIONS } from './event-descriptions.ts';
import type { Schema } from './schemas.ts';

/** Stream names of the events that belong to no aggregate. */
const SYSTEM_EVENT_STREAMS: Readonly<Record<SystemEventType, string>> = {
  ValueReserved: '<kind>-<scope>-<SHA-256 of the value>',
  CustomerEmailReserved: 'customerEmail-<tenant id>-<live or test>-<SHA-256 of the e-mail>',
  IdempotencyRecorded: 'idempotency-<command id>',
  NumberTaken: 'sequence-<name>',
  ParkedRetryRequested: 'parked-<collection>-<SHA-256 of the key>',
};

/** Every event that can stand in the log, with its fields as its schema has them. */
export function eventDocument(): Document {
  return {
    title: 'Stored events',
    introduction: [
      'Everything that happened stands in the log as one of these events; everything that is read is folded from them. The name carries the version: what is stored never changes, a new version gets a new name and the old one stays readable.',
      'Every event has metadata besides: when Surety recorded it (`recordedAt`), who did it (`actor`), the command and its id, the request id, and the ids it is found by. `effectiveAt` is the business day: of a term its start, else the day of the record unless it is told otherwise.',
      'Money is a decimal string with two decimals. A field that is marked as personal tells of the person that the mark names.',
    ],
    sections: [...EVENT_DEFINITIONS.values()].map(sectionOf),
  };
}

function sectionOf(definition: EventDefinition): Section {
  const { wireName, schema } = definition;
  const made = z.toJSONSchema(schema, { unrepresentable: 'any' });
  return {
    title: wireName,
    paragraphs: [EVENT_DESCRIPTIONS[wireName as WireName<EventType>] ?? '', `Stream: \`${streamOf(definition)}\``],
    table: { head: ['Field', 'Type', 'Personal'], rows: rowsOf(made, '') },
  };
}

function streamOf(definition: EventDefinition): string {
  const owner = AGGREGATES.find(({ events }) => events.includes(definition));
  return owner === undefined ? SYSTEM_EVENT_STREAMS[definition.type as SystemEventType] : `${owner.category}-<id>`;
}

/** A row for every field, those of objects and lists by their dotted paths. */
function rowsOf(schema: Schema, path: string): readonly string[][] {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Schema>; required?: string[] };
  return Object.entries(properties).flatMap(([name, member]) => {
    const field = path === '' ? name : `${path}.${name}`;
    const optional = required.includes(name) ? '' : ', may be absent';
    const inner = innerObject(member);
    const { personal = '' } = member as { personal?: string };
    return [
      [`\`${field}\``, typeOf(member) + optional, personal],
      ...(inner === undefined ? [] : rowsOf(inner, typeOf(member).startsWith('list') ? `${field}[]` : field)),
    ];
  });
}

function innerObject(schema: Schema): Schema | undefined {
  if (schema.properties !== undefined) return schema;
  if (typeof schema.items === 'object' && !Array.isArray(schema.items)) return innerObject(schema.items);
  return schema.anyOf?.map((branch) => innerObject(branch)).find((inner) => inner !== undefined);
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return 'any JSON';
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map((branch) => typeOf(branch)))].join(' or ');
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.type === 'array') return `list of ${typeOf((schema.items ?? {}) as Schema)}`;
  if (schema.format !== undefined) return schema.format;
  if (schema.pattern?.includes('\\.\\d{2}$') === true) return 'money';
  const types = [schema.type ?? 'any JSON'].flat() as readonly string[];
  return types.join(' or ');
}
