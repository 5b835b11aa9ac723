import type { Certificate, CertificateColumn, CertificateRow, CertificateSection } from '../certificate.ts';
import { sha256 } from '#event-sourcing/identifiers.ts';
import { type Fonts, forgetGlyphs, printableText } from './fonts.ts';
import { ACCENT, GREY, INK, LEFT, lineHeight, PAGE, Paper, RIGHT, RULE, type Style } from './paper.ts';

const TITLE: Style = { font: 'bold', size: 21, colour: ACCENT };
const SUBTITLE: Style = { font: 'regular', size: 9.5, colour: GREY };
const NOTICE: Style = { font: 'bold', size: 10, colour: '#9b1c1c' };
const HEADING: Style = { font: 'bold', size: 11, colour: ACCENT };
const LABEL: Style = { font: 'regular', size: 9.5, colour: GREY };
const TEXT: Style = { font: 'regular', size: 9.5, colour: INK };
const STRONG: Style = { ...TEXT, font: 'bold' };
const COLUMN: Style = { font: 'regular', size: 8, colour: GREY };
const NOTE: Style = { font: 'regular', size: 8.5, colour: GREY };

const TABLE_WIDTH = RIGHT - LEFT;
const LABEL_WIDTH = 140;
const GAP = 10;
const ROW_PADDING = 4;
/** Of the heading of a section with those of its columns, about. */
const HEADING_HEIGHT = 40;
/** Of a row with one line. */
const ROW_HEIGHT = lineHeight(TEXT) + 2 * ROW_PADDING;
/** A higher part of the page is broken, so that large rows leave no empty pages. */
const MAX_KEPT = PAGE.height / 4;

/** Characters of a note, such as the covered items of a coverage, that are drawn; the API shows all. */
const MAX_NOTE = 2_000;
/** Characters that a certificate may draw: a character without a glyph draws up to ten. They take about a second. */
const MAX_DRAWN = 100_000;

/**
 * Makes the PDF of a certificate. The same certificate has the same bytes on every platform.
 * @returns undefined for a certificate that would draw too much
 */
export async function renderCertificate(json: string, fonts: Fonts): Promise<Uint8Array | undefined> {
  forgetGlyphs(fonts);
  let drawn = 0;
  const certificate = JSON.parse(json, (key, value: unknown) => {
    if (typeof value !== 'string') return value;
    const text = printableText(value, fonts, key === 'note' ? MAX_NOTE : undefined);
    drawn += text.length;
    return text;
  }) as Certificate;
  if (drawn > MAX_DRAWN) return undefined;
  const { title, policyId, policyNumber, testMode } = certificate;
  const info = {
    Title: `${title} ${policyNumber}`,
    Creator: 'Surety',
    CreationDate: new Date(certificate.from),
    // pdfkit derives the id of the document from this object.
    Digest: sha256(json),
  };
  const paper = new Paper({ fonts, info, isTest: testMode, footer: `${title} · policy id ${policyId}` });
  writeHead(paper, certificate);
  for (const section of certificate.sections) writeSection(paper, section);
  return await paper.end();
}

function writeHead(paper: Paper, { title, subtitle, notice }: Certificate): void {
  paper.writeLine(title, LEFT, TITLE);
  paper.y += lineHeight(TITLE) + 2;
  writeCells(paper, [{ text: subtitle, style: SUBTITLE, x: LEFT, width: TABLE_WIDTH }]);
  paper.y += 8;
  paper.drawRule(ACCENT, 1.5);
  paper.y += 6;
  if (notice !== null) writeNotice(paper, notice);
}

function writeNotice(paper: Paper, notice: string): void {
  const padding = 9;
  const cell = { text: notice, style: NOTICE, x: LEFT + padding, width: TABLE_WIDTH - 2 * padding };
  const height = paper.linesOf(notice, NOTICE, cell.width).length * lineHeight(NOTICE) + 2 * padding;
  paper.y += 8;
  paper.doc.roundedRect(LEFT, paper.y, TABLE_WIDTH, height, 3).fillAndStroke('#fdf3f2', '#e7b7b3');
  paper.y += padding;
  writeCells(paper, [cell]);
  paper.y += padding;
}

function writeSection(paper: Paper, { heading, fields, table }: CertificateSection): void {
  paper.y += 14;
  const rows = table?.rows.length ?? 1;
  paper.keepTogether(Math.min(HEADING_HEIGHT + rows * ROW_HEIGHT, MAX_KEPT));
  paper.writeLine(heading, LEFT, HEADING);
  paper.y += lineHeight(HEADING) + 3;
  for (const [label, text] of fields ?? []) writeField(paper, label, text);
  if (table !== undefined) writeTable(paper, table.columns, table.rows);
}

function writeField(paper: Paper, label: string, text: string): void {
  writeCells(paper, [
    { text: label, style: LABEL, x: LEFT, width: LABEL_WIDTH - GAP },
    { text, style: TEXT, x: LEFT + LABEL_WIDTH, width: TABLE_WIDTH - LABEL_WIDTH },
  ]);
  paper.y += 2;
}

function writeTable(paper: Paper, columns: readonly CertificateColumn[], rows: readonly CertificateRow[]): void {
  const writeHeadings = (): void => {
    const headings = columns.map(({ heading }) => heading);
    writeCells(paper, tableCells(columns, headings, COLUMN));
    paper.y += 3;
    paper.drawRule(GREY);
    paper.y += ROW_PADDING;
  };
  writeHeadings();
  for (const { cells, note, isTotal } of rows) {
    writeCells(paper, tableCells(columns, cells, isTotal === true ? STRONG : TEXT), writeHeadings);
    if (note !== undefined)
      writeCells(paper, [{ text: note, style: NOTE, x: LEFT, width: TABLE_WIDTH }], writeHeadings);
    paper.y += ROW_PADDING;
    paper.drawRule(RULE);
    paper.y += ROW_PADDING;
  }
}

function tableCells(columns: readonly CertificateColumn[], texts: readonly string[], style: Style): readonly Cell[] {
  let left = LEFT;
  return columns.map(({ part, isAmount }, index) => {
    const x = left;
    left += part * TABLE_WIDTH;
    const isLast = index === columns.length - 1;
    const width = part * TABLE_WIDTH - (isLast ? 0 : GAP);
    return { text: texts[index] ?? '', style, x, width, ...(isAmount === true ? { isAmount } : {}) };
  });
}

interface Cell {
  readonly text: string;
  readonly style: Style;
  readonly x: number;
  readonly width: number;
  /** Whether the text ends at the right. */
  readonly isAmount?: true;
}

/**
 * Writes texts beside each other, over several pages if they are long.
 * @param onNewPage runs at the start of each further page
 */
function writeCells(paper: Paper, cells: readonly Cell[], onNewPage: () => void = () => {}): void {
  const columns = cells.map((cell) => ({ ...cell, lines: paper.linesOf(cell.text, cell.style, cell.width) }));
  const count = Math.max(...columns.map(({ lines }) => lines.length));
  const height = Math.max(...cells.map(({ style }) => lineHeight(style)));
  const beginPageFor = (needed: number): void => {
    if (paper.fits(needed)) return;
    paper.newPage();
    onNewPage();
  };
  beginPageFor(Math.min(count * height, MAX_KEPT));
  for (let index = 0; index < count; index += 1) {
    beginPageFor(height);
    for (const { lines, style, x, width, isAmount } of columns) {
      const line = lines[index];
      if (line === undefined) continue;
      if (isAmount === true) paper.writeLine(line, x + width, style, 'right');
      else paper.writeLine(line, x, style);
    }
    paper.y += height;
  }
}
