import type { PartOfTheLog } from '../../../support/own-part-of-the-log.ts';

/** What a process of Surety is told so that it works on a part of the log, like all that are told the same. */
export function settingsFor({ prefix, begin }: PartOfTheLog): Readonly<Record<string, string>> {
  return {
    NODE_OPTIONS: `--import=${new URL('preload.ts', import.meta.url).href}`,
    PART_OF_THE_LOG: JSON.stringify({ prefix, begin: begin?.toString() }),
  };
}

/** The part of the setting `PART_OF_THE_LOG`. */
export function partFromText(text: string): PartOfTheLog {
  const { prefix, begin } = JSON.parse(text) as { readonly prefix: string; readonly begin?: string };
  return { prefix, begin: begin === undefined ? undefined : BigInt(begin) };
}
