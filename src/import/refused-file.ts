import { once } from 'node:events';
import { createWriteStream, mkdirSync, renameSync, rmSync, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { basename, dirname, join } from 'node:path';
import type { Row } from './read-rows.ts';

/** Where the refused rows of a file go: its name and `.refused.csv`, in `folder`. */
export function refusedFileOf(file: string, folder: string): string {
  return join(folder, `${basename(file)}.refused.csv`);
}

/**
 * The rows of one file that were not taken, each with its line and the reason before its own columns. It appears whole
 * when it is closed, in place of what an earlier run left; when nothing was refused there is none.
 */
export class RefusedFile {
  readonly #target: string;
  readonly #heading: readonly string[];
  #stream: WriteStream | undefined;

  constructor(target: string, heading: readonly string[]) {
    this.#target = target;
    this.#heading = heading;
  }

  async write(row: Row, reason: string): Promise<void> {
    this.#stream ??= this.#open();
    if (!this.#stream.write(lineOf([String(row.line), reason, ...row.fields]))) await once(this.#stream, 'drain');
  }

  async close(): Promise<void> {
    if (this.#stream === undefined) {
      rmSync(this.#target, { force: true });
      return;
    }
    this.#stream.end();
    await finished(this.#stream);
    renameSync(this.#partial, this.#target);
  }

  get #partial(): string {
    return `${this.#target}.partial`;
  }

  #open(): WriteStream {
    mkdirSync(dirname(this.#target), { recursive: true });
    const stream = createWriteStream(this.#partial);
    stream.write(lineOf(['line', 'reason', ...this.#heading]));
    return stream;
  }
}

/** One line of CSV (RFC 4180). */
export function lineOf(fields: readonly string[]): string {
  return `${fields.map(quoted).join(',')}\n`;
}

function quoted(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
