import { createHash } from 'node:crypto';
import { escapeHtml } from '#processes/mails/escape-html.ts';
import { basePathOf } from './links.ts';
import type { RouteResponse } from './response.ts';

/** Styles of the header, which the page of the API reference has too. */
export const HEADER_STYLE = `
:root { color-scheme: light dark; --ink: #1c2430; --quiet: #566070; --line: #d5dae2; --soft: #f4f6f9; --accent: #1a5fb4; --paper: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ecf2; --quiet: #a7b1c0; --line: #36404e; --soft: #1d232c; --accent: #8ab8f5; --paper: #14181f; }
}
body { margin: 0; color: var(--ink); background: var(--paper); font: 16px/1.5 system-ui, sans-serif; }
.top { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; align-items: baseline; padding: 0.6rem 1rem; border-bottom: 1px solid var(--line); background: var(--soft); }
.top nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
.top a { color: var(--accent); text-decoration: none; }
.top a:hover { text-decoration: underline; }
.top .brand { color: inherit; font-weight: bold; }
`;

const STYLE = `${HEADER_STYLE}
main { margin: 0 auto; max-width: 60rem; padding: 0.5rem 1rem 3rem; overflow-wrap: break-word; }
a { color: var(--accent); }
h1 { font-size: 1.7rem; line-height: 1.25; }
h2 { font-size: 1.25rem; margin-top: 2rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; max-width: 100%; }
td, th { border-bottom: 1px solid var(--line); padding: 0.4rem 0.6rem; text-align: left; vertical-align: top; min-width: 4rem; }
code { font-family: ui-monospace, monospace; font-size: 0.9em; background: var(--soft); padding: 0 0.2em; border-radius: 3px; }
pre { overflow-x: auto; padding: 0.75rem 1rem; background: var(--soft); border: 1px solid var(--line); border-radius: 4px; }
pre code { padding: 0; }
dt { font-weight: bold; margin-top: 0.75rem; }
dd { margin: 0; color: var(--quiet); }
.quiet { color: var(--quiet); }
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

/** Makes the Content-Security-Policy of a page with scripts: own files, and requests to this service. */
export function scriptPolicy(images: string): string {
  const own = "script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'";
  return `default-src 'none'; ${own}; img-src 'self' ${images}; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;
}

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

/** What the links of a page depend on. */
export interface Site {
  readonly publicUrl: string | undefined;
  /** Undefined where the console was not built. */
  readonly consoleFolder?: string | undefined;
}

const PAGES = [
  ['/console/', 'Console'],
  ['/docs/', 'API reference'],
  ['/docs/guides/', 'Guides'],
  ['/docs/public-events/', 'Public events'],
  ['/docs/errors', 'Error codes'],
] as const;

/** Makes the header of every page: the name of the program, and the list of pages. */
export function pageHeader({ publicUrl, consoleFolder }: Site): string {
  const base = basePathOf(publicUrl);
  const links = PAGES.filter(([path]) => path !== '/console/' || consoleFolder !== undefined).map(
    ([path, name]) => `<a href="${escapeHtml(base + path)}">${name}</a>`,
  );
  return `<header class="top"><a class="brand" href="${escapeHtml(base)}/">Surety</a><nav aria-label="Pages">${links.join('')}</nav></header>`;
}

interface Page {
  readonly title: string;
  /** HTML: escape all input with `escapeHtml`. */
  readonly body: string;
  readonly status?: number;
}

/** Makes an uncached page with the header. */
export function htmlPage({ title, body, status = 200 }: Page, site: Site): RouteResponse & { readonly body: string } {
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`;
  return {
    status,
    headers: { ...pageHeaders('text/html; charset=utf-8'), 'Cache-Control': 'no-store' },
    body: `<!doctype html>\n<html lang="en"><head>${head}<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>\n<body>\n${pageHeader(site)}\n<main>\n${body}\n</main>\n</body></html>\n`,
  };
}
