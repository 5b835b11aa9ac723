import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { jsonSchemaOf } from './json-schema.ts';
import { PUBLIC_TOPICS } from './topics.ts';
import { PUBLIC_EVENTS } from './translate.ts';

/** `WRITE_DOCS=1` rewrites the schemas. */
const isWriting = process.env['WRITE_DOCS'] === '1';
const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url));

test.each(PUBLIC_EVENTS.map((definition) => [definition.type, definition] as const))(
  'docs/events/%s.json matches the source; WRITE_DOCS=1 rewrites it',
  (type, definition) => {
    const file = `${DOCS}events/${type}.json`;
    const text = `${JSON.stringify(jsonSchemaOf(definition), null, 2)}\n`;
    if (isWriting) writeFileSync(file, text);
    expect(readFileSync(file, 'utf8')).toBe(text);
  },
);

test('the folder of schemas has those of all types, and no other file', () => {
  const files = PUBLIC_EVENTS.map(({ type }) => `${type}.json`);
  expect(readdirSync(`${DOCS}events`).sort()).toEqual(files.toSorted());
});

test('the page about public events lists every type and every topic', () => {
  const page = readFileSync(`${DOCS}public-events.md`, 'utf8');
  for (const { type, description } of PUBLIC_EVENTS) {
    expect(page).toContain(`[\`${type}\`](events/${type}.json) | ${description} |`);
  }
  for (const topic of PUBLIC_TOPICS) expect(page).toContain(`\`${topic}\``);
});

test('each type has a unique, versioned name', () => {
  const types = PUBLIC_EVENTS.map(({ type }) => type);
  expect(new Set(types).size).toBe(types.length);
  for (const type of types) expect(type).toMatch(/^surety\.[a-z]+\.[a-z_]+\.v\d+$/);
});
