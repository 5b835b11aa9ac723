import { createHash } from 'node:crypto';
import { escapeHtml } from '../../mail/escape-html.ts';
import type { RouteResponse } from './response.ts';

const STYLE = `
:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5; }
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
td, th { border-bottom: 1px solid #8884; padding: 0.4rem 0.6rem; text-align: left; vertical-align: top; }
code { font-family: ui-monospace, monospace; }
pre { overflow-x: auto; }
button { font: inherit; padding: 0.6rem 1.4rem; cursor: pointer; }
`;

const STYLE_HASH = createHash('sha256').update(STYLE, 'utf8').digest('base64');

/** Content-Security-Policy of pages: no scripts, nothing from elsewhere, forms to the same origin only. */
const STRICT_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Returns the headers of files for browsers. `policy` is the Content-Security-Policy. */
export function pageHeaders(contentType: string, policy: string = STRICT_POLICY): Readonly<Record<string, string>> {
  return {
    'Content-Type': contentType,
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  };
}

/** Makes an uncached page. `body` is HTML: escape all input with `escapeHtml`. */
export function htmlPage({
  title,
  body,
  status = 200,
}: {
  title: string;
  body: string;
  status?: number;
}): RouteResponse & { readonly body: string } {
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`;
  return {
    status,
    headers: { ...pageHeaders('text/html; charset=utf-8'), 'Cache-Control': 'no-store' },
    body: `<!doctype html>\n<html lang="en"><head>${head}<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>\n<body>\n${body}\n</body></html>\n`,
  };
}
