/** Returns what the result of a command says of the new thing. */
export function newIdOf(response: unknown, name: string): string {
  const { result } = response as { readonly result: Readonly<Record<string, string>> };
  return result[name] ?? '';
}
