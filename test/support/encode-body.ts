import type { ApiRequest } from './api-service.ts';

/** The encodings that every POST accepts. */
export const BODY_ENCODINGS = ['json', 'form', 'multipart'] as const;
export type BodyEncoding = (typeof BODY_ENCODINGS)[number];

/** Flattens a value to form fields with bracketed names; null becomes an empty text. */
function formFields(value: unknown, name = ''): readonly (readonly [string, string])[] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null) {
    return [[name, value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)]];
  }
  const members = Array.isArray(value) ? value.entries() : Object.entries(value);
  return [...members].flatMap(([key, member]) => formFields(member, name === '' ? String(key) : `${name}[${key}]`));
}

/** Encodes a body. */
export async function encodeBody(body: unknown, kind: BodyEncoding): Promise<Pick<ApiRequest, 'raw' | 'headers'>> {
  if (kind === 'json') return { raw: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
  const fields = formFields(body);
  if (kind === 'form') {
    const raw = new URLSearchParams(fields as [string, string][]).toString();
    return { raw, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
  }
  const data = new FormData();
  for (const [name, value] of fields) data.append(name, value);
  return await encodeMultipart(data);
}

/** Encodes a form, with files, as multipart. */
export async function encodeMultipart(data: FormData): Promise<Pick<ApiRequest, 'raw' | 'headers'>> {
  const response = new Response(data);
  return {
    raw: new Uint8Array(await response.arrayBuffer()),
    headers: { 'Content-Type': response.headers.get('content-type') ?? '' },
  };
}
