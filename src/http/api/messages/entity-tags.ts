import { hash } from 'node:crypto';
import { wrongField } from '#domain/refusals.ts';

/** Before a list; a recipient ignores empty elements (RFC 9110, 5.6.1.2). */
const EMPTY_START = /^[ \t,]+/;
/** An element, to the start of the next one. Its parts exclude each other, so that it reads each character once. */
const TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*(?:$|,[ \t,]*)/y;
/**
 * Projection version, revision, and where the body depends on more than the stream a third part. A hash has no hyphen.
 */
const REVISION_TAG = /^\d+-(\d{1,15})(?:-.+)?$/;
const HASH_DIGITS = 32;

interface EntityTag {
  readonly weak: boolean;
  readonly text: string;
}

function parseTags(header: string): readonly EntityTag[] | '*' | undefined {
  if (header.trim() === '*') return '*';
  const list = header.replace(EMPTY_START, '');
  const tags: EntityTag[] = [];
  TAG.lastIndex = 0;
  do {
    const tag = TAG.exec(list);
    if (tag === null) return undefined;
    tags.push({ weak: tag[1] !== undefined, text: tag[2] ?? '' });
  } while (TAG.lastIndex < list.length);
  return tags;
}

/** Returns a strong entity tag from the hash of a body, for responses without a revision. */
export function hashTag(body: string | Uint8Array): string {
  return `"${hash('sha256', body, 'hex').slice(0, HASH_DIGITS)}"`;
}

/** Returns whether `If-None-Match` contains the tag, by weak comparison (RFC 9110, 13.1.2). */
export function matchesIfNoneMatch(header: string, etag: string): boolean {
  const tags = parseTags(header);
  if (tags === '*') return true;
  return tags?.some((tag) => `"${tag.text}"` === etag) ?? false;
}

/**
 * Returns the revisions that `If-Match` accepts, by strong comparison; undefined when it accepts any. The third part of
 * a tag is ignored, and tags in another format match no revision.
 * @throws {Refusal} `invalid_request` when it is not a list of entity tags
 */
export function revisionsOf(header: string | undefined): readonly number[] | undefined {
  if (header === undefined) return undefined;
  const tags = parseTags(header);
  if (tags === undefined) throw wrongField('If-Match', 'must be an entity tag as in ETag, a list of them, or *');
  if (tags === '*') return undefined;
  return tags.flatMap(({ weak, text }) => {
    const revision = REVISION_TAG.exec(text)?.[1];
    return weak || revision === undefined ? [] : [Number(revision)];
  });
}
