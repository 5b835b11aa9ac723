import type { ApiRequest } from './api-service.ts';

/** How a body may be written. */
export const BODY_KINDS = ['json', 'form', 'multipart'] as const;
export type BodyKind = (typeof BODY_KINDS)[number];

/** The leaves of a value under their bracketed names, as a form sends them: null as an empty text, the rest as its text. */
function formFields(value: unknown, name = ''): readonly (readonly [string, string])[] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null) {
    return [[name, value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)]];
  }
  const members = Array.isArray(value) ? value.entries() : Object.entries(value);
  return [...members].flatMap(([key, member]) => formFields(member, name === '' ? String(key) : `${name}[${key}]`));
}

/** A body as one of the three types that every POST takes. */
export async function written(body: unknown, kind: BodyKind): Promise<Pick<ApiRequest, 'raw' | 'headers'>> {
  if (kind === 'json') return { raw: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
  const fields = formFields(body);
  if (kind === 'form') {
    const raw = new URLSearchParams(fields as [string, string][]).toString();
    return { raw, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
  }
  const data = new FormData();
  for (const [name, value] of fields) data.append(name, value);
  return await writtenForm(data);
}

/** A multipart body made by hand, with files. */
export async function writtenForm(data: FormData): Promise<Pick<ApiRequest, 'raw' | 'headers'>> {
  const made = new Response(data);
  return {
    raw: new Uint8Array(await made.arrayBuffer()),
    headers: { 'Content-Type': made.headers.get('content-type') ?? '' },
  };
}
