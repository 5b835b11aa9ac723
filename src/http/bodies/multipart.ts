import { Busboy } from '@fastify/busboy';
import { Refusal } from '../../domain/refusals.ts';
import { FilePart, type FormEntry, JsonPart, MOST_FIELDS } from './form-entries.ts';
import { JsonParts } from './json-parts.ts';

/** The headers of one part, all together, in bytes. */
const LONGEST_HEADERS = 8 * 1024;
const LINE_ENDS = Buffer.from('\r\n\r\n');
/** RFC 7578, 4.7: nothing is encoded in HTTP. */
const PLAIN_ENCODINGS: ReadonlySet<string> = new Set(['7bit', '8bit', 'binary']);

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * The fields and files of a `multipart/form-data` body (RFC 7578) that is in memory as a whole. A part that the parser would
 * pass over, cut or read in another charset than UTF-8 is refused.
 * @throws {Refusal} `malformed_body`, `unsupported_media_type`
 */
export async function multipartEntries(body: Uint8Array, boundary: string | undefined): Promise<readonly FormEntry[]> {
  if (boundary === undefined) throw malformed('its Content-Type names no boundary');
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const parts = countParts(bytes, boundary);
  const found = await parsed(bytes, boundary);
  if (found.length !== parts) throw malformed('a part is not a form field with a name');
  const json = new JsonParts();
  return found.map((part) => entryOf(part, json));
}

/** Goes along the boundaries, and looks at the headers of each part. @throws {Refusal} */
function countParts(bytes: Buffer, boundary: string): number {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first delimiter needs no line end before it.
  let at = bytes.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2)) ? -2 : bytes.indexOf(delimiter);
  for (let parts = 0; at !== -1; parts++) {
    const from = at + delimiter.length;
    if (bytes.toString('latin1', from, from + 2) === '--') return parts;
    if (parts === MOST_FIELDS) throw malformed(`it has more than ${MOST_FIELDS} parts`);
    at = bytes.indexOf(delimiter, from);
    const end = bytes.indexOf(LINE_ENDS, from);
    if (end === -1 || at === -1 || end > at) throw malformed('a part ends before its headers do');
    if (end - from > LONGEST_HEADERS) throw malformed('the headers of a part are too long');
    checkHeaders(bytes.subarray(from, end));
  }
  throw malformed('its closing boundary is missing');
}

/** @throws {Refusal} */
function checkHeaders(headers: Buffer): void {
  let text: string;
  try {
    text = decoder.decode(headers);
  } catch {
    throw malformed('the headers of a part are not in UTF-8');
  }
  const charset = /^content-type:.*;\s*charset\s*=\s*"?([^\s";]*)/im.exec(text)?.[1]?.toLowerCase();
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii') {
    throw new Refusal('unsupported_media_type', 'Every part of the body must be in UTF-8');
  }
}

/** A part as the parser gives it. */
interface Part {
  readonly name: string;
  readonly type: string;
  readonly isFile: boolean;
  readonly content: Buffer;
}

async function parsed(bytes: Buffer, boundary: string): Promise<readonly Part[]> {
  const parts: Part[] = [];
  await new Promise<void>((resolve, reject) => {
    const refuse = (why: string): void => reject(malformed(why));
    const parser = new Busboy({
      headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
      // Every part comes as bytes, so that its text is decoded here and strictly.
      isPartAFile: () => true,
      limits: { headerSize: 2 * LONGEST_HEADERS },
    });
    parser.on('file', (name: string | undefined, stream, fileName: string | undefined, encoding, type) => {
      const isFile = fileName !== undefined || type === 'application/octet-stream';
      const chunks: Buffer[] = [];
      const place = parts.push({ name: '', type, isFile, content: Buffer.alloc(0) }) - 1;
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
      stream.on('error', () => refuse('a part ends too early'));
      stream.on('end', () => {
        if (name === undefined) refuse('a part has no name');
        else if (!PLAIN_ENCODINGS.has(encoding)) refuse('a part has a Content-Transfer-Encoding');
        else parts[place] = { name, type, isFile, content: Buffer.concat(chunks) };
      });
    });
    parser.on('error', () => refuse('its parts cannot be told apart'));
    parser.on('finish', resolve);
    parser.end(bytes);
  });
  return parts;
}

function entryOf({ name, type, isFile, content }: Part, json: JsonParts): FormEntry {
  const readJson = type === 'application/json' ? (): unknown => json.read(name, content) : undefined;
  if (isFile) return { name, value: new FilePart(content, readJson) };
  const text = textOf(content);
  return { name, value: readJson === undefined ? text : new JsonPart(text, readJson) };
}

/** @throws {Refusal} `malformed_body` */
function textOf(content: Buffer): string {
  try {
    return decoder.decode(content);
  } catch {
    throw malformed('a field is not in UTF-8');
  }
}

function malformed(why: string): Refusal {
  return new Refusal('malformed_body', `The body is not multipart/form-data: ${why}`);
}
