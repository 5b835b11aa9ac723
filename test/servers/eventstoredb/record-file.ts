import { createReadStream } from 'node:fs';
import { mkdir, open, truncate } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

/** An event as the file keeps it. Bytes are base64. */
export interface EventRecord {
  readonly position: string;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: string;
  readonly metadata: string;
  /** Ticks of 100 ns since 1970, as the real server tells them. */
  readonly created: string;
}

/** A file of lines, each a whole append, on disk when `append` has resolved. What a kill left of a line is cut off. */
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

/** Gives every whole line, and how many bytes they are. What does not end in a newline was not synced, even if it can be read. */
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
