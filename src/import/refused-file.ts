import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { REFUSAL_COLUMNS } from './book-file.ts';
import type { Row } from './read-rows.ts';
import type { RefusedRow } from './import-row.ts';

/** Characters that are collected for one write. */
const CHUNK = 64 * 1024;

/** Of a longer detail the rest is left out. */
const LONGEST_DETAIL = 500;

/** Where the refused rows of a file go: its name and `.refused.csv`, in `folder`. */
export function refusedFileOf(file: string, folder: string): string {
  return join(folder, `${basename(file)}.refused.csv`);
}

/** Refused rows cannot be written down. The message is one sentence, without its end, that names the file. */
export class UnwritableFile extends Error {
  override readonly name = 'UnwritableFile';
}

/**
 * The rows of one file that were not taken, each with its line, the reason and the detail before its own columns. It
 * appears whole when it is closed, in place of what an earlier run left; when nothing was refused there is none.
 */
export class RefusedFile {
  readonly #target: string;
  readonly #heading: readonly string[];
  #handle: FileHandle | undefined;
  /** What is not written yet. */
  #text = '';

  constructor(target: string, heading: readonly string[]) {
    this.#target = target;
    this.#heading = heading;
  }

  /** @throws {UnwritableFile} */
  async write(row: Row, { reason, detail }: Pick<RefusedRow, 'reason' | 'detail'>): Promise<void> {
    await this.#named(async () => {
      this.#handle ??= await this.#open();
      this.#text += lineOf([String(row.line), reason, shortened(detail), ...row.fields]);
      if (this.#text.length >= CHUNK) await this.#flush(this.#handle);
    });
  }

  /** @throws {UnwritableFile} */
  async close(): Promise<void> {
    await this.#named(async () => {
      const handle = this.#handle;
      if (handle === undefined) {
        rmSync(this.#target, { force: true });
        return;
      }
      try {
        await this.#flush(handle);
      } finally {
        await handle.close();
      }
      renameSync(this.#partial, this.#target);
    });
  }

  get #partial(): string {
    return `${this.#target}.partial`;
  }

  async #open(): Promise<FileHandle> {
    mkdirSync(dirname(this.#target), { recursive: true });
    this.#text = lineOf([...REFUSAL_COLUMNS, ...this.#heading]);
    return await open(this.#partial, 'w');
  }

  async #flush(handle: FileHandle): Promise<void> {
    const text = this.#text;
    this.#text = '';
    await handle.appendFile(text);
  }

  async #named(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      throw new UnwritableFile(`${this.#target} cannot be written: ${(error as Error).message}`, { cause: error });
    }
  }
}

/** A detail on one line; what is too much is cut off between characters. */
function shortened(detail: string): string {
  const line = detail.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= LONGEST_DETAIL) return line;
  return `${line.slice(0, LONGEST_DETAIL - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** One line of CSV (RFC 4180). */
export function lineOf(fields: readonly string[]): string {
  return `${fields.map(quoted).join(',')}\n`;
}

function quoted(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
