import type { z } from 'zod';

type Json = z.core.util.JSONType;

/**
 * Features of a risk as texts, from `additional_information`: members of members by their dotted paths
 * (`gadget_information.make`), entries of lists by their places; what is null is left out.
 */
export function riskFeatures(information: Readonly<Record<string, Json>>): Record<string, string> {
  return Object.fromEntries(Object.entries(information).flatMap(([name, value]) => featuresOf(name, value)));
}

function featuresOf(path: string, value: Json): readonly (readonly [string, string])[] {
  if (value === null) return [];
  if (typeof value !== 'object') return [[path, String(value)]];
  return Object.entries(value).flatMap(([name, member]) => featuresOf(`${path}.${name}`, member));
}
