import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { BLOB_ROW_BYTES, type BlobSource, type Records } from '#stores/records/records.ts';
import { openTemporaryRecords } from '#stores/records/sqlite/sqlite-records.ts';
import { claimBody } from './uploaded-documents.ts';
import type { BodyStream } from './query.ts';

const CONTENTS = [BLOB_ROW_BYTES + 1, 5, 3 * BLOB_ROW_BYTES, 2 * BLOB_ROW_BYTES - 1].map((size, index) =>
  new Uint8Array(size).fill(index + 1),
);
const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

function claimWith(contents: readonly Uint8Array[]) {
  const documents = contents.map((content, index) => ({
    document_name: `"${index}"`,
    evidence_type: 'PDF',
    content_type: 'application/pdf',
    size: content.length,
    sha256: hashOf(content),
    uploaded_at: '2026-03-01T10:00:00.000Z',
  }));
  return { claim_id: 'id', notes: 'a "note"', documents };
}

/** Records with the contents, and the rows that were read from them. */
async function sourceWith(
  contents: readonly Uint8Array[],
): Promise<BlobSource & { readonly read: string[]; readonly turns: () => number }> {
  const records = openTemporaryRecords();
  for (const content of contents) await records.putBlob(content);
  const read: string[] = [];
  let turns = 0;
  const getBlobRow: Records['getBlobRow'] = async (sha256, row) => {
    read.push(`${sha256} ${row}`);
    return await records.getBlobRow(sha256, row);
  };
  return { records: { getBlobRow }, nextTurn: async () => void (turns += 1), read, turns: () => turns };
}

describe('The body of a claim', () => {
  test('is a text when the claim has no documents', async () => {
    expect(claimBody(claimWith([]), await sourceWith([]))).toBe(
      '{"claim_id":"id","notes":"a \\"note\\"","documents":[]}',
    );
  });

  test('has the contents of all documents', async () => {
    const [first] = CONTENTS as [Uint8Array];
    const contents = [...CONTENTS, first];
    const body = claimBody(claimWith(contents), await sourceWith(CONTENTS)) as BodyStream;
    const { documents, ...claim } = JSON.parse((await Array.fromAsync(body.chunks())).join(''));
    expect(claim).toEqual({ claim_id: 'id', notes: 'a "note"' });
    expect(documents).toEqual(
      contents.map((content, index) => ({
        document_name: `"${index}"`,
        evidence_type: 'PDF',
        content_type: 'application/pdf',
        size: content.length,
        sha256: hashOf(content),
        blob: Buffer.from(content).toString('base64'),
        uploaded_at: '2026-03-01T10:00:00.000Z',
      })),
    );
  });

  test('reads a row when those before it were consumed, each in a turn of its own', async () => {
    const [first] = CONTENTS as [Uint8Array];
    const source = await sourceWith([first]);
    const body = claimBody(claimWith([first]), source) as BodyStream;
    expect(source.read).toEqual([]);
    const rows = [0, 1].map((row) => `${hashOf(first)} ${row}`);
    let sent = 0;
    for await (const chunk of body.chunks()) {
      expect(chunk.length).toBeLessThanOrEqual(64 * 1024);
      sent += chunk.length;
      // The check of the SHA-256 reads all rows once.
      expect(source.read.slice(0, 2)).toEqual(rows);
      if (sent < BLOB_ROW_BYTES) expect(source.read.length).toBeLessThanOrEqual(3);
    }
    expect(source.read).toEqual([...rows, ...rows]);
    expect(source.turns()).toBe(4);
  });

  test.each(['missing', 'altered'])('fails before its first text when a content is %s', async (state) => {
    const [first, second] = CONTENTS as [Uint8Array, Uint8Array];
    const source = await sourceWith(state === 'missing' ? [first] : [first, second]);
    const { getBlobRow } = source.records;
    const damaged: BlobSource['records'] = {
      getBlobRow: async (sha256, row) => {
        const bytes = await getBlobRow(sha256, row);
        return sha256 === hashOf(second) && bytes !== undefined ? bytes.with(0, 99) : bytes;
      },
    };
    const body = claimBody(claimWith([first, second]), { ...source, records: damaged }) as BodyStream;
    await expect(body.chunks()[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: 'document_damaged',
      message: expect.stringContaining(`${hashOf(second)} of a document is ${state}`),
    });
  });
});
