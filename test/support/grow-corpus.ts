/**
 * Adds stored events to the corpus: `node test/support/grow-corpus.ts < events.ndjson`. Each line is one stored event (`id`,
 * `stream`, `revision`, `type`, `data`, `metadata`); streams must be complete. Also records the documents that new versions of
 * projections make from the corpus. Existing entries never change.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PROJECTIONS } from '../../projections/registry.ts';
import { categoryOf } from '../../src/event-sourcing/aggregate.ts';
import { decode, encode } from '../../src/domain/events.ts';
import type { RawEvent } from '../../src/event-sourcing/codec.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import { sha256 } from '../../src/event-sourcing/identifiers.ts';

const CORPUS = fileURLToPath(new URL('../corpus/', import.meta.url));

type SampleFile = Omit<RawEvent, 'position'> & { readonly position: string };

function readJson(file: string): Record<string, never> {
  return JSON.parse(readFileSync(CORPUS + file, 'utf8'));
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(CORPUS + file, `${JSON.stringify(value, null, 2)}\n`);
}

function readSamples(): RecordedEvent[] {
  const folders = readdirSync(CORPUS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const rawEvents = folders.flatMap(({ name: type }) =>
    readdirSync(`${CORPUS}${type}`).map((name) => {
      const sample = readJson(`${type}/${name}`) as unknown as SampleFile;
      return { ...sample, type, position: BigInt(sample.position) };
    }),
  );
  return rawEvents.sort((a, b) => Number(a.position - b.position)).map((event) => decode(event));
}

const checksums: Record<string, string> = readJson('checksums.json');
const lines = readFileSync(0, 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '');
let position = Number(readSamples().at(-1)?.position ?? 0n);
for (const line of lines) {
  const { id, stream, revision, type, data, metadata } = JSON.parse(line) as SampleFile;
  position += 1;
  const decoded = decode({ id, stream, revision, position: BigInt(position), type, data, metadata });
  // Data of the newest version is checked as it is: decoding ignores members that the version does not declare.
  encode(encode(decoded).type === type ? { type: decoded.type, data } : decoded);
  const sample = { id, stream, revision, position: String(position), data, metadata };
  const file = `${type}/${String(position).padStart(4, '0')}.json`;
  mkdirSync(`${CORPUS}${type}`, { recursive: true });
  writeJson(file, sample);
  checksums[file] = sha256(JSON.stringify(sample));
}
writeJson('checksums.json', checksums);

const documents: Record<string, { upTo: string; sha256: string }> = readJson('documents.json');
const events = readSamples();
const upTo = String(events.at(-1)?.position ?? 0n);
for (const projection of PROJECTIONS) {
  const title = `${projection.name} v${projection.version}`;
  if (documents[title] !== undefined) continue;
  const routed = new Map<string, RecordedEvent[]>();
  for (const event of events) {
    const key = projection.categories.includes(categoryOf(event.stream)) ? projection.key(event) : undefined;
    if (key !== undefined) routed.set(key, [...(routed.get(key) ?? []), event]);
  }
  const folded = [...routed].map(([key, history]) => {
    const document = history.reduce<unknown>((before, event) => projection.fold(before as never, event), undefined);
    return [key, document, document === undefined ? null : projection.indexes(document as never)];
  });
  documents[title] = { upTo, sha256: sha256(JSON.stringify(folded)) };
}
writeJson('documents.json', documents);
process.stdout.write(`${lines.length} samples added; the corpus ends at position ${upTo}\n`);
