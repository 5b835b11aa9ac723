import { basename } from 'node:path';
import type { WriteStream } from 'node:tty';

const REDRAW_MS = 100;
const BAR_WIDTH = 24;
/** Of a terminal that does not tell its width, or says 0. */
const USUAL_WIDTH = 80;

/** What a progress line tells. */
export interface Progress {
  readonly file: string;
  readonly rows: number;
  readonly seconds: number;
  /** Share of the file that has been read, 0 to 1. */
  readonly share: number;
  /** What is counted, where it is not rows. */
  readonly unit?: string;
}

/** The progress of one file as one line: name, bar, rows and rows a second. */
export function progressLine({ file, rows, seconds, share, unit = 'rows' }: Progress, width: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * BAR_WIDTH);
  const bar = '█'.repeat(filled).padEnd(BAR_WIDTH, '░');
  const rate = seconds > 0 ? Math.round(rows / seconds) : 0;
  const line = `${basename(file)} ${bar} ${rows.toLocaleString('en')} ${unit} · ${rate.toLocaleString('en')} ${unit}/s`;
  return line.slice(0, Math.max(0, width - 1));
}

/** A progress bar on a terminal, drawn over itself; nothing where there is no terminal. */
export class ProgressBar {
  readonly #terminal: WriteStream | undefined;
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor(stream: NodeJS.WriteStream) {
    this.#terminal = stream.isTTY ? stream : undefined;
  }

  /** Draws, but not more often than an eye can follow. */
  show(progress: Progress): void {
    const now = performance.now();
    if (this.#terminal === undefined || now - this.#drawnAt < REDRAW_MS) return;
    this.#drawnAt = now;
    this.#terminal.write(`\r\u001B[K${progressLine(progress, this.#terminal.columns || USUAL_WIDTH)}`);
  }

  /** Leaves an empty line to whatever is written next. */
  clear(): void {
    this.#terminal?.write('\r\u001B[K');
    this.#drawnAt = Number.NEGATIVE_INFINITY;
  }
}
