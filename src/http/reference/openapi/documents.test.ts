import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { EVENT_DEFINITIONS } from '#domain/events.ts';
import { isTemporary } from '#domain/refusals.ts';
import { PROBLEM_CODES, PROBLEM_TYPES, Refusal } from '../../api/messages/problem-types.ts';
import { routersOf } from '../../api/routers/routers.ts';
import { asHtml, asMarkdown, type Document, errorDocument, eventDocument, roleDocument } from './documents.ts';

/** `WRITE_DOCS=1` writes the pages. */
const isWriting = process.env['WRITE_DOCS'] === '1';
const NOTE =
  'This page is generated from the source, and a test compares them. To update it: `WRITE_DOCS=1 npm run test:unit -- --testPathPatterns documents`.';

describe.each<[string, () => Document]>([
  ['docs/errors.md', () => errorDocument(routersOf({}).flat())],
  ['docs/events.md', eventDocument],
  ['docs/roles.md', () => roleDocument(routersOf({}).flat())],
])('%s', (file, make) => {
  test('is generated from the source', () => {
    const path = fileURLToPath(new URL(`../../../../${file}`, import.meta.url));
    const text = asMarkdown(make(), NOTE);
    if (isWriting) writeFileSync(path, text);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });
});

test.each(PROBLEM_CODES)('%s has a time to wait if its status has, and is temporary', (code) => {
  const { status, retryAfter } = PROBLEM_TYPES[code];
  expect(retryAfter !== undefined).toBe([429, 503].includes(status));
  // The limit of a key is judged before anything else, and by HTTP alone.
  if (code !== 'rate_limited') expect(isTemporary(new Refusal(code))).toBe(retryAfter !== undefined);
});

test('the page of events describes every stored event with its fields', () => {
  const { sections } = eventDocument();
  expect(sections.map(({ title }) => title)).toEqual([...EVENT_DEFINITIONS.keys()]);
  const purchased = sections.find(({ title }) => title === 'PolicyPurchased.v1');
  expect(purchased?.paragraphs).toContain('Stream: `policy-<id>`');
  expect(purchased?.table?.rows).toContainEqual(['`holder.email`', 'string', 'customer', '']);
  expect(purchased?.table?.rows).toContainEqual(['`beneficiaries[].name`', 'string', 'beneficiary', '']);
  expect(purchased?.table?.rows).toContainEqual([
    '`term.premium`',
    'money',
    '',
    'What the customer pays: net price, fee and tax.',
  ]);
});

test('HTML pages escape text and format code', () => {
  const section = { title: 'a<b', paragraphs: ['`x < y` & more'], table: { head: ['h'], rows: [['<td>']] } };
  const html = asHtml({ title: '<t>', introduction: [], sections: [section] });
  expect(html).toContain('<h1>&lt;t&gt;</h1>');
  expect(html).toContain('<section id="a&lt;b"><h2><code>a&lt;b</code></h2><p><code>x &lt; y</code> &amp; more</p>');
  expect(html).toContain('<td>&lt;td&gt;</td>');
});
