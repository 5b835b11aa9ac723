import { Busboy } from '@fastify/busboy';
import { Refusal } from '../messages/problem-types.ts';
import { FilePart, type FormEntry, type JsonParts, MAX_FIELDS } from './form-entries.ts';

const MAX_HEADER_BYTES = 8 * 1024;
const LINE_ENDS = Buffer.from('\r\n\r\n');
/** Transfer encodings without an effect; RFC 7578, 4.7 allows no others in HTTP. */
const PLAIN_ENCODINGS: ReadonlySet<string> = new Set(['7bit', '8bit', 'binary']);

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the fields and files of a `multipart/form-data` body (RFC 7578). Rejects parts that the parser would skip,
 * truncate or decode with another charset than UTF-8.
 * @throws {Refusal} `malformed_body`, `unsupported_media_type`
 */
export async function multipartEntries(
  body: Uint8Array,
  boundary: string | undefined,
  json: JsonParts,
): Promise<readonly FormEntry[]> {
  if (boundary === undefined) throw malformedBody('its Content-Type names no boundary');
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const count = countParts(bytes, boundary);
  const parts = await readParts(bytes, boundary);
  if (parts.length !== count) throw malformedBody('a part is not a form field with a name');
  return parts.map((part) => entryOf(part, json));
}

/** Counts the parts by their boundaries, and checks their headers. @throws {Refusal} */
function countParts(bytes: Buffer, boundary: string): number {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first delimiter needs no line end before it.
  let at = bytes.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2)) ? -2 : bytes.indexOf(delimiter);
  for (let parts = 0; at !== -1; parts++) {
    const from = at + delimiter.length;
    if (bytes.toString('latin1', from, from + 2) === '--') return parts;
    if (parts === MAX_FIELDS) throw malformedBody(`it has more than ${MAX_FIELDS} parts`);
    at = bytes.indexOf(delimiter, from);
    const end = bytes.indexOf(LINE_ENDS, from);
    if (end === -1 || at === -1 || end > at) throw malformedBody('a part ends before its headers do');
    if (end - from > MAX_HEADER_BYTES) throw malformedBody('the headers of a part are too long');
    checkHeaders(bytes.subarray(from, end));
  }
  throw malformedBody('its closing boundary is missing');
}

/** @throws {Refusal} */
function checkHeaders(headers: Buffer): void {
  let text: string;
  try {
    text = decoder.decode(headers);
  } catch {
    throw malformedBody('the headers of a part are not in UTF-8');
  }
  const charset = /^content-type:.*;\s*charset\s*=\s*"?([^\s";]*)/im.exec(text)?.[1]?.toLowerCase();
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii') {
    throw new Refusal('unsupported_media_type', 'Every part of the body must be in UTF-8');
  }
}

interface Part {
  readonly name: string;
  readonly type: string;
  /** Undefined when it is no file. */
  readonly file: { readonly name: string | undefined } | undefined;
  readonly content: Buffer;
}

async function readParts(bytes: Buffer, boundary: string): Promise<readonly Part[]> {
  const parts: Part[] = [];
  await new Promise<void>((resolve, reject) => {
    const fail = (reason: string): void => reject(malformedBody(reason));
    const parser = new Busboy({
      headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
      // As a file every part is delivered as bytes, so that its text can be decoded strictly.
      isPartAFile: () => true,
      limits: { headerSize: 2 * MAX_HEADER_BYTES },
    });
    parser.on('file', (name: string | undefined, stream, fileName: string | undefined, encoding, type) => {
      const isFile = fileName !== undefined || type === 'application/octet-stream';
      const file = isFile ? { name: fileName } : undefined;
      const chunks: Buffer[] = [];
      const index = parts.push({ name: '', type, file, content: Buffer.alloc(0) }) - 1;
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
      stream.on('error', () => fail('a part ends too early'));
      stream.on('end', () => {
        if (name === undefined) fail('a part has no name');
        else if (!PLAIN_ENCODINGS.has(encoding)) fail('a part has a Content-Transfer-Encoding');
        else parts[index] = { name, type, file, content: Buffer.concat(chunks) };
      });
    });
    parser.on('error', () => fail('its parts cannot be separated'));
    parser.on('finish', resolve);
    parser.end(bytes);
  });
  return parts;
}

function entryOf({ name, type, file, content }: Part, json: JsonParts): FormEntry {
  const isJson = type === 'application/json';
  if (file !== undefined) {
    return { name, value: new FilePart(content, file.name, isJson ? () => json.parse(name, content) : undefined) };
  }
  const text = textOf(content);
  return { name, value: isJson ? json.partOf(name, text) : json.fieldOf(name, text) };
}

/** @throws {Refusal} `malformed_body` */
function textOf(content: Buffer): string {
  try {
    return decoder.decode(content);
  } catch {
    throw malformedBody('a field is not in UTF-8');
  }
}

function malformedBody(reason: string): Refusal {
  return new Refusal('malformed_body', `The body is not multipart/form-data: ${reason}`);
}
