export interface ModelCoverage {
  readonly name: string;
  readonly type: string | null;
  readonly limit: string | null;
  readonly items?: unknown;
}

export interface CoverageChange {
  readonly kind: 'additional' | 'modified';
  readonly type: string;
  readonly amount: bigint;
  readonly limit: string | null;
  readonly items: unknown;
}

/** Returns undefined when the coverage to add exists, or the one to modify does not. */
export function changeCoverages(
  before: readonly ModelCoverage[],
  { kind, type, limit, items }: CoverageChange,
): readonly ModelCoverage[] | undefined {
  const isNamed = (text: string | null): boolean => text?.toLowerCase() === type.toLowerCase();
  const byName = before.filter(({ name }) => isNamed(name));
  const byType = before.filter((coverage) => isNamed(coverage.type));
  if (kind === 'additional')
    return byName.length + byType.length > 0 ? undefined : [...before, { name: type, type, limit, items }];
  const found = byName[0] ?? (byType.length === 1 ? byType[0] : undefined);
  if (found === undefined) return undefined;
  return before.map((each) =>
    each === found ? { ...each, items: items ?? each.items, limit: limit ?? each.limit } : each,
  );
}
