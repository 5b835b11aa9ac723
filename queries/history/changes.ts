import { z } from 'zod';

export const changeSchema = z
  .strictObject({
    path: z.string().meta({ description: 'JSON Pointer (RFC 6901) into the single resource' }),
    before: z.unknown().optional().meta({ description: 'Left out where the member did not exist' }),
    after: z.unknown().optional().meta({ description: 'Left out where the member no longer exists' }),
  })
  .meta({ id: 'Change' });

export type Change = Readonly<z.infer<typeof changeSchema>>;

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Returns the changes from one JSON document to another, in an order in which they can be applied: members and elements
 * one by one, and elements that an array loses from its end. If `before` is undefined, there is one change for each
 * member.
 */
export function changesBetween(before: JsonObject | undefined, after: JsonObject): readonly Change[] {
  const changes: Change[] = [];
  compareObjects('', before ?? {}, after, changes);
  return changes;
}

function compare(path: string, before: unknown, after: unknown, changes: Change[]): void {
  if (Array.isArray(before) && Array.isArray(after)) compareArrays(path, before, after, changes);
  else if (isObject(before) && isObject(after)) compareObjects(path, before, after, changes);
  else changes.push({ path, before, after });
}

/** Skips identical objects: resources share the parts that an event did not change. */
function compareObjects(path: string, before: JsonObject, after: JsonObject, changes: Change[]): void {
  for (const [name, value] of Object.entries(before)) {
    if (!Object.hasOwn(after, name)) changes.push({ path: pointerTo(path, name), before: value });
  }
  for (const [name, value] of Object.entries(after)) {
    if (Object.hasOwn(before, name)) {
      if (before[name] !== value) compare(pointerTo(path, name), before[name], value, changes);
    } else changes.push({ path: pointerTo(path, name), after: value });
  }
}

function compareArrays(path: string, before: readonly unknown[], after: readonly unknown[], changes: Change[]): void {
  for (let index = before.length - 1; index >= after.length; index--) {
    changes.push({ path: `${path}/${index}`, before: before[index] });
  }
  for (const [index, value] of after.entries()) {
    if (index < before.length) {
      if (before[index] !== value) compare(`${path}/${index}`, before[index], value, changes);
    } else changes.push({ path: `${path}/${index}`, after: value });
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** RFC 6901, section 3: `~` and `/` in a name are written `~0` and `~1`. */
function pointerTo(path: string, name: string): string {
  return `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
