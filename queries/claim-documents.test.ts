import { describe, expect, test } from '@jest/globals';
import type { ClaimDocument } from '../projections/claims/claim-document.ts';
import { claimBody } from './claim-documents.ts';
import type { BodyStream } from './query.ts';

const CONTENTS: Readonly<Record<string, Uint8Array>> = {
  a: new Uint8Array(100_001).fill(7),
  b: new Uint8Array(Buffer.from('small')),
  c: new Uint8Array(48 * 1024).fill(9),
};

function claimWith(hashes: readonly string[]): ClaimDocument {
  const documents = hashes.map((sha256) => ({
    document_name: `"${sha256}"`,
    evidence_type: 'PDF',
    sha256,
    uploaded_at: '2026-03-01T10:00:00.000Z',
  }));
  const claim = { view: { claim_id: 'id', notes: 'a "note"', documents }, extra: { largest_document: 100_001 } };
  return claim as unknown as ClaimDocument;
}

describe('The body of a claim', () => {
  test('is a text when the claim has no documents', () => {
    expect(claimBody(claimWith([]), { getBlob: () => Promise.reject(new Error('not read')) })).toBe(
      '{"claim_id":"id","notes":"a \\"note\\"","documents":[]}',
    );
  });

  test('has the contents of all documents', async () => {
    const body = claimBody(claimWith(['a', 'b', 'c', 'a']), recordsOf([])) as BodyStream;
    const { documents, ...claim } = JSON.parse((await Array.fromAsync(body.chunks())).join(''));
    expect(claim).toEqual({ claim_id: 'id', notes: 'a "note"' });
    expect(documents).toEqual(
      ['a', 'b', 'c', 'a'].map((sha256) => ({
        document_name: `"${sha256}"`,
        evidence_type: 'PDF',
        sha256,
        blob: Buffer.from(CONTENTS[sha256] ?? []).toString('base64'),
        uploaded_at: '2026-03-01T10:00:00.000Z',
      })),
    );
  });

  test('reads a document only when those before it were consumed', async () => {
    const read: string[] = [];
    const body = claimBody(claimWith(['a', 'b']), recordsOf(read)) as BodyStream;
    expect(read).toEqual([]);
    let text = '';
    for await (const chunk of body.chunks()) {
      text += String(chunk);
      expect(chunk.length).toBeLessThanOrEqual(64 * 1024);
      // The second content follows the entry of the first.
      expect(read).toEqual(text.includes('"b"') ? ['a', 'b'] : ['a']);
    }
  });

  test('fails before its first text when the first content is missing', async () => {
    const body = claimBody(claimWith(['missing', 'a']), recordsOf([])) as BodyStream;
    await expect(body.chunks()[Symbol.asyncIterator]().next()).rejects.toThrow('missing in records');
  });
});

function recordsOf(read: string[]) {
  return {
    getBlob: async (sha256: string) => {
      read.push(sha256);
      return await Promise.resolve(CONTENTS[sha256]);
    },
  };
}
