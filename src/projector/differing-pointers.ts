/**
 * Returns the JSON Pointers (RFC 6901) of the first differences between two values of JSON, in the order of the members; none when the
 * values are equal.
 * @param path pointer of the values themselves
 */
export function differingPointers(found: unknown, wanted: unknown, limit: number, path = ''): readonly string[] {
  if (Object.is(found, wanted)) return [];
  if (!isContainer(found) || !isContainer(wanted) || Array.isArray(found) !== Array.isArray(wanted)) return [path];
  const pointers: string[] = [];
  for (const name of new Set([...Object.keys(found), ...Object.keys(wanted)])) {
    if (pointers.length >= limit) break;
    const pointer = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!Object.hasOwn(found, name) || !Object.hasOwn(wanted, name)) pointers.push(pointer);
    else pointers.push(...differingPointers(found[name], wanted[name], limit - pointers.length, pointer));
  }
  return pointers;
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
