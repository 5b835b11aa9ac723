import Pdf from 'pdfkit';
import type { FontName, Fonts } from './fonts.ts';
import { wrapText } from './wrap-text.ts';

/** A4, in points. */
export const PAGE = { width: 595.28, height: 841.89 };
export const LEFT = 62;
export const RIGHT = PAGE.width - LEFT;
const TOP = 62;
const BOTTOM = PAGE.height - 70;
const FOOTER = PAGE.height - 50;

export interface Style {
  readonly font: FontName;
  readonly size: number;
  readonly colour: string;
}

export const INK = '#1c1f26';
export const GREY = '#5f6673';
export const RULE = '#d5d8de';
export const ACCENT = '#1d3f66';

const FOOTER_STYLE: Style = { font: 'regular', size: 8, colour: GREY };
const WATERMARK = { text: 'TEST', size: 230, colour: '#efefef' };

interface PaperOptions {
  readonly fonts: Fonts;
  readonly info: PDFKit.DocumentInfo;
  /** Whether every page has the word TEST across it. */
  readonly isTest: boolean;
  /** Left part of the footer of every page. */
  readonly footer: string;
}

/**
 * The pages of a document, written from top to bottom. All text is broken into lines first, so that nothing is drawn
 * over something else.
 */
export class Paper {
  readonly doc: PDFKit.PDFDocument;
  readonly #options: PaperOptions;
  /** Where the next text begins, from the top of the page. */
  y = TOP;

  constructor(options: PaperOptions) {
    this.#options = options;
    this.doc = new Pdf({
      size: 'A4',
      margin: 0,
      pdfVersion: '1.7',
      lang: 'en',
      displayTitle: true,
      autoFirstPage: false,
      bufferPages: true,
      // Another version of zlib, or of the processor, would give other bytes.
      compress: false,
      // The types lack that pdfkit loads no standard font then.
      font: null as unknown as string,
      info: options.info,
    });
    // The types lack parsed fonts.
    for (const [name, font] of Object.entries(options.fonts)) this.doc.registerFont(name, font as unknown as Buffer);
    this.newPage();
  }

  newPage(): void {
    this.doc.addPage();
    this.y = TOP;
    if (this.#options.isTest) this.#writeWatermark();
  }

  /** Returns whether a part of this height fits on the rest of the page. */
  fits(height: number): boolean {
    return this.y + height <= BOTTOM;
  }

  /** Begins a new page if a part of this height does not fit on the rest of this one. */
  keepTogether(height: number): void {
    if (!this.fits(height)) this.newPage();
  }

  /** Returns the lines of a text that are at most `width` wide. */
  linesOf(text: string, style: Style, width: number): readonly string[] {
    this.#use(style);
    return wrapText(text, width, (part) => this.doc.widthOfString(part));
  }

  /** Writes one line at the current height. @param align where `x` is */
  writeLine(line: string, x: number, style: Style, align: 'left' | 'right' = 'left'): void {
    this.#use(style);
    const left = align === 'left' ? x : x - this.doc.widthOfString(line);
    this.doc.fillColor(style.colour).text(line, left, this.y, { lineBreak: false });
  }

  /** Draws a horizontal line across the page at the current height. */
  drawRule(colour = RULE, thickness = 0.5): void {
    this.doc.moveTo(LEFT, this.y).lineTo(RIGHT, this.y).lineWidth(thickness).strokeColor(colour).stroke();
  }

  /** Numbers the pages, and returns the bytes of the document. */
  async end(): Promise<Uint8Array> {
    const { count } = this.doc.bufferedPageRange();
    for (let page = 0; page < count; page += 1) {
      this.doc.switchToPage(page);
      this.y = FOOTER;
      this.writeLine(this.#options.footer, LEFT, FOOTER_STYLE);
      this.writeLine(`${page + 1} of ${count}`, RIGHT, FOOTER_STYLE, 'right');
    }
    this.doc.end();
    return Buffer.concat(await Array.fromAsync(this.doc as AsyncIterable<Buffer>));
  }

  #use({ font, size }: Style): void {
    this.doc.font(font).fontSize(size);
  }

  #writeWatermark(): void {
    const { text, size, colour } = WATERMARK;
    this.#use({ font: 'bold', size, colour });
    const origin: [number, number] = [PAGE.width / 2, PAGE.height / 2];
    this.doc.save().rotate(-52, { origin }).fillColor(colour);
    const [width, height] = [this.doc.widthOfString(text), this.doc.currentLineHeight()];
    this.doc.text(text, origin[0] - width / 2, origin[1] - height / 2, { lineBreak: false }).restore();
  }
}

/** Returns the height of a line. */
export function lineHeight({ size }: Style): number {
  return size * 1.4;
}
