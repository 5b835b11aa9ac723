import { createHash } from 'node:crypto';
import { escapeHtml } from '#processes/mails/escape-html.ts';
import { basePathOf } from './links.ts';
import type { RouteResponse } from './response.ts';

/**
 * Makes the styles of the header, which the page of the API reference has too, with the colours and the typeface of the
 * console (`console/styles/tokens.css`).
 * @param consolePath path of the console, which has the fonts; undefined where it was not built
 */
export function headerStyle(consolePath: string | undefined): string {
  const face = (weight: string, file: number): string =>
    `@font-face { font-family: "Noto Sans"; src: url("${consolePath}noto-sans-${file}.woff2") format("woff2"); font-weight: ${weight}; font-display: swap; }`;
  const faces = consolePath === undefined ? '' : `${face('400', 400)}\n${face('600 700', 600)}`;
  return `
${faces}
:root { color-scheme: light dark; --canvas: #f6f7f9; --surface: #fff; --sunken: #f1f3f6; --line: #e4e7ec; --line-strong: #cfd5dd; --text: #151a21; --muted: #586170; --accent: #2450cf; --accent-strong: #1b3fa8; --on-accent: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --canvas: #0e1115; --surface: #161a20; --sunken: #12161b; --line: #262c35; --line-strong: #3a424e; --text: #e9ecf1; --muted: #a2abb8; --accent: #92b1ff; --accent-strong: #b3c8ff; --on-accent: #0b1020; }
}
body { margin: 0; color: var(--text); background: var(--canvas); font: 15px/1.55 "Noto Sans", system-ui, sans-serif; }
.top { display: flex; flex-wrap: wrap; gap: 4px 24px; align-items: center; min-height: 36px; padding: 8px 24px; border-bottom: 1px solid var(--line); background: var(--surface); font-size: 13px; }
.top nav { display: flex; flex-wrap: wrap; gap: 4px 16px; }
.top a { color: var(--muted); text-decoration: none; }
.top a:hover { color: var(--text); }
.top .brand { color: var(--text); font-size: 14px; font-weight: 600; }
`;
}

const PAGE_STYLE = `
main { margin: 0 auto; max-width: 60rem; padding: 16px 24px 48px; overflow-wrap: break-word; }
a { color: var(--accent-strong); }
h1 { font-size: 1.75rem; font-weight: 600; letter-spacing: -0.02em; line-height: 1.25; }
h2 { font-size: 1.25rem; font-weight: 600; letter-spacing: -0.01em; margin-top: 32px; }
table { border-collapse: collapse; display: block; overflow-x: auto; max-width: 100%; font-size: 14px; }
td, th { border-bottom: 1px solid var(--line); padding: 8px 12px; text-align: left; vertical-align: top; min-width: 4rem; }
th { color: var(--muted); font-weight: 400; }
code { font-family: ui-monospace, monospace; font-size: 0.9em; background: var(--sunken); padding: 0 0.2em; border-radius: 4px; }
pre { overflow-x: auto; padding: 12px 16px; background: var(--sunken); border: 1px solid var(--line); border-radius: 10px; }
pre code { padding: 0; }
dl { display: grid; grid-template-columns: minmax(9rem, auto) minmax(0, 1fr); padding: 4px 0; background: var(--surface); border: 1px solid var(--line); border-radius: 10px; }
dt, dd { margin: 0; padding: 10px 16px; }
dt { font-weight: 600; }
dd { color: var(--muted); }
.quiet { color: var(--muted); }
button { font: inherit; min-height: 36px; padding: 0 16px; border: 0; border-radius: 6px; background: var(--accent); color: var(--on-accent); cursor: pointer; }
@media (max-width: 40rem) {
  dl { grid-template-columns: minmax(0, 1fr); }
  dd { padding-top: 0; }
}
`;

interface PageStyle {
  readonly style: string;
  /** Content-Security-Policy of pages: no scripts, nothing from elsewhere, forms to the same origin only. */
  readonly policy: string;
}

const pageStyles = new Map<string | undefined, PageStyle>();

/** Returns the styles of pages, with the policy that allows them. */
function pageStyleOf({ publicUrl, consoleFolder }: Site): PageStyle {
  const consolePath = consoleFolder === undefined ? undefined : `${basePathOf(publicUrl)}/console/`;
  let known = pageStyles.get(consolePath);
  if (known === undefined) {
    const style = `${headerStyle(consolePath)}${PAGE_STYLE}`;
    const hash = createHash('sha256').update(style, 'utf8').digest('base64');
    const own = `style-src 'sha256-${hash}'; font-src 'self'; form-action 'self'`;
    known = { style, policy: `default-src 'none'; ${own}; base-uri 'none'; frame-ancestors 'none'` };
    pageStyles.set(consolePath, known);
  }
  return known;
}

/** Makes the Content-Security-Policy of a page with scripts: own files, and requests to this service. */
export function scriptPolicy(images: string): string {
  const own = "script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'";
  return `default-src 'none'; ${own}; img-src 'self' ${images}; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;
}

/** Returns the headers of files for browsers. `policy` is the Content-Security-Policy. */
export function pageHeaders(contentType: string, policy: string): Readonly<Record<string, string>> {
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
  const { style, policy } = pageStyleOf(site);
  return {
    status,
    headers: { ...pageHeaders('text/html; charset=utf-8', policy), 'Cache-Control': 'no-store' },
    body: `<!doctype html>\n<html lang="en"><head>${head}<title>${escapeHtml(title)}</title><style>${style}</style></head>\n<body>\n${pageHeader(site)}\n<main>\n${body}\n</main>\n</body></html>\n`,
  };
}
