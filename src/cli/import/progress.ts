import { basename } from 'node:path';
import type { WriteStream } from 'node:tty';

const REDRAW_MS = 100;
const BAR_WIDTH = 24;
/** For a terminal that reports no width or 0. */
const DEFAULT_WIDTH = 80;

interface ImportProgress {
  readonly file: string;
  readonly rows: number;
  readonly seconds: number;
  /** Share of the file that has been read, 0 to 1. */
  readonly share: number;
  /** Default: rows. */
  readonly unit?: string;
}

export function progressLine({ file, rows, seconds, share, unit = 'rows' }: ImportProgress, width: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * BAR_WIDTH);
  const bar = '█'.repeat(filled).padEnd(BAR_WIDTH, '░');
  const rate = seconds > 0 ? Math.round(rows / seconds) : 0;
  const line = `${basename(file)} ${bar} ${rows.toLocaleString('en')} ${unit} · ${rate.toLocaleString('en')} ${unit}/s`;
  return line.slice(0, Math.max(0, width - 1));
}

export class ProgressBar {
  readonly #terminal: WriteStream | undefined;
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor(stream: NodeJS.WriteStream) {
    this.#terminal = stream.isTTY ? stream : undefined;
  }

  show(progress: ImportProgress): void {
    const now = performance.now();
    if (this.#terminal === undefined || now - this.#drawnAt < REDRAW_MS) return;
    this.#drawnAt = now;
    this.#terminal.write(`\r\u001B[K${progressLine(progress, this.#terminal.columns || DEFAULT_WIDTH)}`);
  }

  clear(): void {
    this.#terminal?.write('\r\u001B[K');
    this.#drawnAt = Number.NEGATIVE_INFINITY;
  }
}
