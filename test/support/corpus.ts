import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RawEvent } from '#event-sourcing/codec.ts';

/** Folder with a sample of every stored event: files with the events of one stream each. */
export const CORPUS = fileURLToPath(new URL('../corpus/', import.meta.url));
/** SHA-256 of the documents into which each projection folds the samples. */
export const CORPUS_DOCUMENTS = 'documents.json';

/** Reads all samples, in the order of the log. */
export function readCorpus(): readonly RawEvent[] {
  return readdirSync(CORPUS)
    .filter((file) => file !== CORPUS_DOCUMENTS)
    .flatMap((file) => JSON.parse(readFileSync(CORPUS + file, 'utf8')) as (RawEvent & { readonly position: string })[])
    .map((stored) => ({ ...stored, position: BigInt(stored.position) }))
    .toSorted((a, b) => Number(a.position - b.position));
}
