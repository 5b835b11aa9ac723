import { escapeHtml } from '../../mail/escape-html.ts';

/** Page that is served as HTML and stored as Markdown. Texts may contain `code` in backticks. */
export interface Document {
  readonly title: string;
  readonly introduction: readonly string[];
  readonly sections: readonly Section[];
}

export interface Section {
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly table?: { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };
}

/** Formats the document as the body of an HTML page, with its titles as anchors. */
export function asHtml({ title, introduction, sections }: Document): string {
  const parts = sections.map(({ title: name, paragraphs, table }) => {
    const head = table === undefined ? '' : row(table.head, 'th');
    const rows = table?.rows.map((cells) => row(cells, 'td')).join('') ?? '';
    const tableHtml = table === undefined ? '' : `<table>${head}${rows}</table>`;
    return `<section id="${escapeHtml(name)}"><h2><code>${escapeHtml(name)}</code></h2>${htmlParagraphs(paragraphs)}${tableHtml}</section>`;
  });
  return `<h1>${escapeHtml(title)}</h1>\n${htmlParagraphs(introduction)}\n${parts.join('\n')}`;
}

function htmlParagraphs(texts: readonly string[]): string {
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
