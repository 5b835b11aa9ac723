import { escapeHtml } from '#processes/mails/escape-html.ts';
import { jsonSchemaOf } from '#public-events/definition.ts';
import { topicOf } from '#public-events/topics.ts';
import { PUBLIC_EVENTS, schemaAddress } from '#public-events/translate.ts';
import { htmlParagraphs, htmlTable } from '../openapi/documents.ts';
import { descriptionOf, fieldRows } from '../openapi/field-rows.ts';
import { messageExample, structuredExample } from './messages.ts';

const INTRODUCTION = [
  'Public events say what happened, with ids, states and amounts, and no personal data. Every key reads those that it may see in the feed, `GET /api/v1/events/`; systems of the platform also read them on Kafka topics.',
  'An example is an event as the feed serves it. On Kafka its `data` are the value of the message, and its other members are headers with the prefix `ce_`. From release 1.0.0 on types never change; fields and types may be added, so ignore those that you do not know. Until then they are changed in place. Events of insurers and products are in the feed of platform keys alone. Quotes, customers and the last day of a term have no event: the day is `effective_through` of the term.',
];

/**
 * Makes the body of the page of all types of public events.
 * @param origin Address of Surety. The links of the page are its path and more, so that they work below a path, and
 * with and without a slash at the end
 */
export function publicEventsPage(origin: string): string {
  const path = new URL(origin).pathname.replace(/\/$/, '');
  return [
    '<h1>Public events</h1>',
    htmlParagraphs(INTRODUCTION),
    `<p>${link(`${path}/docs/#/Events/ListEvents`, 'The feed in the API reference')} · ${link(`${path}/asyncapi.json`, 'AsyncAPI document')}</p>`,
    contents(),
    ...PUBLIC_EVENTS.map((event) => section(event, new URL(schemaAddress(origin, event.type)).pathname)),
  ].join('\n');
}

function contents(): string {
  const items = PUBLIC_EVENTS.map(({ type }) => `<li>${link(`#${type}`, type)}</li>`);
  return `<ul>${items.join('')}</ul>`;
}

function section(event: (typeof PUBLIC_EVENTS)[number], schemaPath: string): string {
  const { type, description, subject } = event;
  const rows = fieldRows(jsonSchemaOf(event), descriptionOf);
  const topics = `Topic: \`${topicOf(subject, 'live')}\`, in test mode \`${topicOf(subject, 'test')}\``;
  return [
    `<section id="${escapeHtml(type)}"><h2><code>${escapeHtml(type)}</code></h2>`,
    htmlParagraphs([description, topics]),
    `<p>${link(schemaPath, 'JSON Schema of the data')}</p>`,
    htmlTable({ head: ['Field of data', 'Type', 'Meaning'], rows }),
    `<pre><code>${escapeHtml(JSON.stringify(structuredExample(messageExample(event)), null, 2))}</code></pre>`,
    '</section>',
  ].join('');
}

function link(href: string, text: string): string {
  return `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`;
}
