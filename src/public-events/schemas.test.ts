import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { descriptionOf, fieldRows } from '#http/reference/openapi/field-rows.ts';
import { messageHeaders } from './headers.ts';
import { jsonSchemaOf } from './definition.ts';
import { PUBLIC_TOPICS } from './topics.ts';
import { PUBLIC_EVENTS } from './translate.ts';

test.each(PUBLIC_EVENTS.map((definition) => [definition.type, definition] as const))(
  'the schema of %s is open, and describes every field',
  (type, definition) => {
    const schema = jsonSchemaOf(definition);
    expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema', title: type });
    expect(JSON.stringify(schema)).not.toContain('additionalProperties');
    const rows = fieldRows(schema, descriptionOf);
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.filter(([, , description]) => description === '')).toEqual([]);
  },
);

test('the page about public events lists every topic and every header', () => {
  const page = readFileSync(fileURLToPath(new URL('../../docs/public-events.md', import.meta.url)), 'utf8');
  for (const name of [...PUBLIC_TOPICS, ...Object.keys(messageHeaders.shape)]) expect(page).toContain(`\`${name}\``);
});

test('each type has a unique, versioned name', () => {
  const types = PUBLIC_EVENTS.map(({ type }) => type);
  expect(new Set(types).size).toBe(types.length);
  for (const type of types) expect(type).toMatch(/^surety\.[a-z]+\.[a-z_]+\.v\d+$/);
});
