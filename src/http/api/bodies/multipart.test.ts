import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Refusal } from '../messages/problem-types.ts';
import { FilePart, type FormEntry, JsonPart, JsonParts, MAX_FIELDS } from './form-entries.ts';
import { JSON_LIMITS } from './json-text.ts';
import { multipartEntries } from './multipart.ts';

const BOUNDARY = 'frontier';

function part(headers: string, content: string | Buffer): Buffer {
  return Buffer.concat([Buffer.from(`--${BOUNDARY}\r\n${headers}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')]);
}

const field = (name: string, content: string | Buffer): Buffer =>
  part(`Content-Disposition: form-data; name="${name}"`, content);

const whole = (...parts: readonly Buffer[]): Buffer => Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);

async function read(body: Buffer, boundary: string | undefined = BOUNDARY): Promise<unknown[]> {
  const entries = await multipartEntries(body, boundary, new JsonParts(JSON_LIMITS));
  return entries.map(({ name, value }: FormEntry) => [name, contentOf(value)]);
}

function contentOf(value: FormEntry['value']): string {
  if (value instanceof FilePart) return value.base64;
  return value instanceof JsonPart ? value.text : value;
}

async function code(body: Buffer, boundary?: string): Promise<string> {
  try {
    await multipartEntries(body, boundary, new JsonParts(JSON_LIMITS));
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown.code;
    throw thrown;
  }
  return 'taken';
}

describe('a multipart body', () => {
  test('reads fields and files in their order', async () => {
    const file = 'Content-Disposition: form-data; name="documents[0][blob]"; filename="../../etc/passwd"';
    const bytes = Buffer.from([0, 255, 13, 10, 45, 45]);
    const body = whole(field('a', 'ä'), part(`${file}\r\nContent-Type: application/pdf`, bytes), field('b', ''));
    expect(await read(body)).toEqual([
      ['a', 'ä'],
      ['documents[0][blob]', bytes.toString('base64')],
      ['b', ''],
    ]);
  });

  test('reads a body without parts as no fields', async () => {
    expect(await read(whole())).toEqual([]);
  });

  test('ignores preamble and epilogue', async () => {
    const body = Buffer.concat([Buffer.from('hello\r\n'), whole(field('a', '1')), Buffer.from('bye')]);
    expect(await read(body)).toEqual([['a', '1']]);
  });

  test('reads a large file completely', async () => {
    const bytes = Buffer.alloc(3_000_000, 'abc\r\n--fronti');
    const entries = await read(
      whole(part('Content-Disposition: form-data; name="f"; filename="x"', bytes), field('a', '1')),
    );
    expect(entries).toEqual([
      ['f', bytes.toString('base64')],
      ['a', '1'],
    ]);
  });

  test.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['another boundary', Buffer.from('--other\r\n\r\n\r\n--other--')],
    ['no closing boundary', field('a', '1')],
    ['an end within the headers', Buffer.from(`--${BOUNDARY}\r\nContent-Disp`)],
    ['a part without headers', whole(Buffer.from(`--${BOUNDARY}\r\nhello\r\n`))],
    ['a part without a name', whole(part('Content-Disposition: form-data', '1'))],
    ['a part that is no form field', whole(part('Content-Disposition: attachment; name="a"', '1'))],
    ['a part without Content-Disposition', whole(part('Content-Type: text/plain', '1'))],
    ['a name with a line break', whole(part('Content-Disposition: form-data; name="a\nb"', '1'))],
    ['a field that is not UTF-8', whole(field('a', Buffer.from([0xff])))],
    ['a name that is not UTF-8', whole(part('Content-Disposition: form-data; name="\u0080"', '1').fill(0xff, 52, 53))],
    ['headers that are too long', whole(part(`Content-Disposition: form-data; name="${'a'.repeat(9000)}"`, '1'))],
    [
      'an encoded part',
      whole(part('Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64', 'MQ==')),
    ],
    ['thousands of parts', whole(...Array.from({ length: MAX_FIELDS + 1 }, (_, index) => field(`a${index}`, '')))],
  ])('rejects %s as malformed', async (_what, body) => {
    expect(await code(body, BOUNDARY)).toBe('malformed_body');
  });

  test('rejects a missing boundary as malformed', async () => {
    expect(await code(whole(field('a', '1')), undefined)).toBe('malformed_body');
  });

  test('rejects a part in another charset', async () => {
    const header = 'Content-Disposition: form-data; name="a"\r\nContent-Type: text/plain; charset=iso-8859-1';
    expect(await code(whole(part(header, '1')), BOUNDARY)).toBe('unsupported_media_type');
  });

  test('reads back any fields that FormData writes', async () => {
    const text = fc
      .oneof(fc.string({ unit: 'grapheme' }), fc.json())
      .map((one) => one.replaceAll(/\r\n|\r|\n/g, '\r\n'));
    const name = fc.stringMatching(/^[a-z_]{1,9}(\[[a-z0-9]{1,3}\]){0,3}$/);
    const value = fc.oneof(text, fc.uint8Array({ maxLength: 300 }));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 8 }), async (fields) => {
        const data = new FormData();
        for (const [key, one] of fields) {
          if (typeof one === 'string') data.append(key, one);
          else data.append(key, new Blob([one]), 'x.pdf');
        }
        const sent = new Response(data);
        const boundary = /boundary=(.*)$/.exec(sent.headers.get('content-type') ?? '')?.[1];
        expect(await read(Buffer.from(await sent.arrayBuffer()), boundary)).toEqual(
          fields.map(([key, one]) => [key, typeof one === 'string' ? one : Buffer.from(one).toString('base64')]),
        );
      }),
    );
  });

  test('reads or rejects any mutated body without hanging', async () => {
    const right = whole(
      field('a', '1'),
      part(
        'Content-Disposition: form-data; name="b"; filename="f"\r\nContent-Type: application/octet-stream',
        '\r\n--',
      ),
      field('c', ''),
    );
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom('\r\n', '\r\n\r\n', `--${BOUNDARY}`, `\r\n--${BOUNDARY}`, `\r\n--${BOUNDARY}--`, '-', '"', ';')
        .map(Buffer.from),
    );
    const change = fc.tuple(fc.nat(right.length), fc.nat(40), piece);
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        let body = right;
        for (const [at, cut, put] of changes) {
          body = Buffer.concat([body.subarray(0, at), put, body.subarray(Math.min(at + cut, body.length))]);
        }
        expect(['taken', 'malformed_body', 'unsupported_media_type']).toContain(await code(body, BOUNDARY));
      }),
      { numRuns: 2_000, plugins: [fc.timeout(2_000)] },
    );
  });
});
