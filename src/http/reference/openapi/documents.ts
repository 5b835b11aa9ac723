import { z } from 'zod';
import { AGGREGATES, EVENT_DEFINITIONS, SYSTEM_EVENTS } from '#domain/events.ts';
import type { EventDefinition } from '#event-sourcing/event.ts';
import { escapeHtml } from '#processes/mails/escape-html.ts';
import { PROBLEM_CODES, type ProblemCode, PROBLEM_TYPES } from '../../api/messages/problem-types.ts';
import type { Route } from '../../server/route.ts';
import { descriptionOf, fieldRows } from './field-rows.ts';
import { ROLES } from '#domain/values/rights.ts';
import { generalCodesOf, operationsOf, rolesOf } from './operations.ts';
import type { Schema } from './schemas.ts';

/** Page that is served as HTML and stored as Markdown. Texts may contain `code` in backticks. */
export interface Document {
  readonly title: string;
  readonly introduction: readonly string[];
  readonly sections: readonly Section[];
}

interface Section {
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly table?: Table;
}

interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function asHtml({ title, introduction, sections }: Document): string {
  const parts = sections.map(({ title: name, paragraphs, table }) => {
    const tableHtml = table === undefined ? '' : htmlTable(table);
    return `<section id="${escapeHtml(name)}"><h2><code>${escapeHtml(name)}</code></h2>${htmlParagraphs(paragraphs)}${tableHtml}</section>`;
  });
  return `<h1>${escapeHtml(title)}</h1>\n${htmlParagraphs(introduction)}\n${parts.join('\n')}`;
}

/** Formats a table, whose cells may contain `code` in backticks. */
export function htmlTable({ head, rows }: Table): string {
  return `<table>${row(head, 'th')}${rows.map((cells) => row(cells, 'td')).join('')}</table>`;
}

/** Formats paragraphs, which may contain `code` in backticks. */
export function htmlParagraphs(texts: readonly string[]): string {
  return texts.map((text) => `<p>${toInlineHtml(text)}</p>`).join('');
}

function row(cells: readonly string[], tag: 'td' | 'th'): string {
  return `<tr>${cells.map((cell) => `<${tag}>${toInlineHtml(cell)}</${tag}>`).join('')}</tr>`;
}

function toInlineHtml(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

/** Formats the document as Markdown, with a note about its source. */
export function asMarkdown({ title, introduction, sections }: Document, note: string): string {
  const parts = sections.map(({ title: name, paragraphs, table }) => {
    const lines =
      table === undefined ? [] : [line(table.head), line(table.head.map(() => '---')), ...table.rows.map(line)];
    return [`## ${name}`, ...paragraphs, ...(lines.length === 0 ? [] : [lines.join('\n')])].join('\n\n');
  });
  return `${[`# ${title}`, ...introduction, note, ...parts].join('\n\n')}\n`;
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** Returns the table of operations and roles. */
export function roleDocument(routes: readonly Route[]): Document {
  const operations = routes.flatMap((route) => operationsOf(route).filter((one) => rolesOf(one) !== undefined));
  const sections = [...Map.groupBy(operations, ({ tag }) => tag)].map(([title, ofTag]) => ({
    title,
    paragraphs: [],
    table: {
      head: ['Operation', ...ROLES],
      rows: ofTag.map((one) => [
        `\`${one.route.method} ${one.path}\``,
        ...ROLES.map((role) => (rolesOf(one)?.includes(role) === true ? 'yes' : '')),
      ]),
    },
  }));
  return {
    title: 'Roles',
    introduction: [
      'Which operation a key may call, by its role: that of the key, or of its person. A merchant sees what is its own in the mode of the key, an insurer the products, policies, customers and claims that it insures, the platform (`claims`, `admin`, `auditor`) all merchants. What a reader does not see answers 404.',
      'With `access: read` a key calls nothing that may record an event, previews apart.',
    ],
    sections,
  };
}

export function eventDocument(): Document {
  return {
    title: 'Stored events',
    introduction: [
      'The event log consists of these events; all resources are folded from them. The name contains the version: from release 1.0.0 on stored events never change, a new version gets a new name, and old versions stay readable.',
      'Every event has metadata: the time of recording (`recordedAt`), the actor, the command and its id, the request id, and the ids of the merchant, environment, customer and policy. It has `$correlationId` only if that is not the request id (without a request, the command id), and `$causationId` only if that is not the command id. `effectiveAt` is the business day: the start of a term, else the day of recording unless stated otherwise.',
      'Money is a decimal string with two decimals. The column Personal names the person whose data a field contains.',
    ],
    sections: [...EVENT_DEFINITIONS.values()].map(sectionOf),
  };
}

function sectionOf(definition: EventDefinition): Section {
  const { wireName, description, schema } = definition;
  const jsonSchema = z.toJSONSchema(schema, { unrepresentable: 'any' });
  return {
    title: wireName,
    paragraphs: [description, `Stream: \`${streamOf(definition)}\``],
    table: { head: ['Field', 'Type', 'Personal', 'Meaning'], rows: fieldRows(jsonSchema, personOf, descriptionOf) },
  };
}

/** Returns the person whose data a field contains. */
function personOf({ personal = '' }: Schema & { readonly personal?: string }): string {
  return personal;
}

function streamOf(definition: EventDefinition): string | undefined {
  const owner = AGGREGATES.find(({ events }) => events.includes(definition));
  if (owner !== undefined) return `${owner.category}-<id>`;
  return SYSTEM_EVENTS.find(({ event }) => event.wireName === definition.wireName)?.stream;
}

/**
 * Makes the page of all codes, sorted by status, with the operations of these routes. The `type` of a problem links to
 * the anchor of its code.
 */
export function errorDocument(routes: readonly Route[]): Document {
  const operations = routes.flatMap(operationsOf);
  const general = new Set(operations.flatMap(generalCodesOf));
  // A public operation and the command of the platform have one name.
  const namesOf = (code: ProblemCode) =>
    new Set(operations.flatMap(({ errors, name }) => (errors.includes(code) ? [`\`${name}\``] : [])));
  return {
    title: 'Error codes',
    introduction: [
      'Every error response of Surety is a problem (RFC 9457) with a `code` of this list. Codes never change their meaning; new codes may be added. `detail` describes the occurrence, `errors` lists every wrong field; the member `error` repeats the text of `detail`. A code without operations is one of every request, or of every operation of a kind, such as those that read.',
    ],
    sections: PROBLEM_CODES.map((code) => {
      const { status, title, meaning, action } = PROBLEM_TYPES[code];
      const names = general.has(code) ? '' : [...namesOf(code)].join(', ');
      const paragraphs = [`${status}: ${title}.`, meaning, `What to do: ${action}`];
      return { title: code, paragraphs: names === '' ? paragraphs : [...paragraphs, `Operations: ${names}.`] };
    }),
  };
}
