import { renameSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { createFolder } from '#service/config/data-folder.ts';
import { REFUSAL_COLUMNS } from './book-file.ts';
import type { Row } from './read-rows.ts';
import type { RefusedRow } from './import-row.ts';

const CHUNK = 64 * 1024;

const LONGEST_DETAIL = 500;

/** Returns the path for the refused rows of a file: its name and `.refused.csv`, in `folder`. */
export function refusedFileOf(file: string, folder: string): string {
  return join(folder, `${basename(file)}.refused.csv`);
}

/** The file of refused rows cannot be written. The message names the file. */
class UnwritableFile extends Error {
  override readonly name = 'UnwritableFile';
}

/**
 * Writes the refused rows of one file, each with its line, the reason and the detail before its columns. `close`
 * replaces the file of an earlier run, or removes it when no row was refused.
 */
export class RefusedFile {
  readonly #target: string;
  readonly #heading: readonly string[];
  #handle: FileHandle | undefined;
  #text = '';

  constructor(target: string, heading: readonly string[]) {
    this.#target = target;
    this.#heading = heading;
  }

  /** @throws {UnwritableFile} */
  async write(row: Row, { reason, detail }: Pick<RefusedRow, 'reason' | 'detail'>): Promise<void> {
    await this.#namingFile(async () => {
      this.#handle ??= await this.#open();
      this.#text += csvLine([String(row.line), reason, shorten(detail), ...row.fields]);
      if (this.#text.length >= CHUNK) await this.#flush(this.#handle);
    });
  }

  /** @throws {UnwritableFile} */
  async close(): Promise<void> {
    await this.#namingFile(async () => {
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
    createFolder(dirname(this.#target));
    this.#text = csvLine([...REFUSAL_COLUMNS, ...this.#heading]);
    rmSync(this.#partial, { force: true });
    // An exclusive creation follows no link that another user of the folder may have put there.
    return await open(this.#partial, 'wx');
  }

  async #flush(handle: FileHandle): Promise<void> {
    const text = this.#text;
    this.#text = '';
    await handle.appendFile(text);
  }

  async #namingFile(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      throw new UnwritableFile(`${this.#target} cannot be written: ${(error as Error).message}`, { cause: error });
    }
  }
}

function shorten(detail: string): string {
  const line = detail.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= LONGEST_DETAIL) return line;
  return `${line.slice(0, LONGEST_DETAIL - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function csvLine(fields: readonly string[]): string {
  return stringify([[...fields]], { quoted_match: /[\r\n]/ });
}
