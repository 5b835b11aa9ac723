import { createReadStream } from 'node:fs';
import { mkdir, open, truncate } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

/** The stored form of an event. Bytes are base64. */
export interface EventRecord {
  readonly position: string;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: string;
  readonly metadata: string;
  /** Ticks of 100 ns since 1970, as the real server reports them. */
  readonly created: string;
}

/** A file with one append per line, on disk when `append` resolves. An incomplete last line is cut off. */
export class RecordFile {
  readonly #file: FileHandle;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async open(folder: string, onAppend: (events: readonly EventRecord[]) => void): Promise<RecordFile> {
    await mkdir(folder, { recursive: true });
    const path = join(folder, 'log.ndjson');
    const file = await open(path, 'a');
    const whole = await readLines(path, onAppend);
    if ((await file.stat()).size > whole) await truncate(path, whole);
    await file.datasync();
    return new RecordFile(file);
  }

  async append(appends: readonly (readonly EventRecord[])[]): Promise<void> {
    await this.#file.appendFile(appends.map((events) => `${JSON.stringify(events)}\n`).join(''));
    await this.#file.datasync();
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

/**
 * Reads the complete lines and returns their size in bytes. A line without a newline was not synced, even if it parses.
 */
async function readLines(path: string, onAppend: (events: readonly EventRecord[]) => void): Promise<number> {
  let whole = 0;
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      onAppend(JSON.parse(rest.toString('utf8', 0, end)) as readonly EventRecord[]);
      rest = rest.subarray(end + 1);
      whole += end + 1;
    }
  }
  return whole;
}
