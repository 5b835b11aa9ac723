import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { escapeHtml } from '../../mail/escape-html.ts';
import { packageFolder } from '../../settings/package-folder.ts';
import { cachedPage } from '../handlers/cached-page.ts';
import { htmlPage } from '../messages/html-page.ts';
import { Refusal } from '../messages/problem-types.ts';
import type { PublicRoute } from '../route.ts';

/** The runbook and the pages of docs/ that it links to. A test compares them. */
export const GUIDES = [
  'runbook',
  'architecture',
  'configuration',
  'for-auditors',
  'moving-to-servers',
  'performance',
  'public-events',
  'tested',
  'tutorial',
] as const;

export const guideRoutes: readonly PublicRoute[] = GUIDES.map((name) =>
  cachedPage(
    {
      name: 'Guide',
      summary: 'Returns a page of the documentation.',
      path: `/docs/guides/${name}`,
      isCompressed: true,
    },
    () => {
      const file = join(packageFolder(), 'docs', `${name}.md`);
      if (!existsSync(file)) throw new Refusal('route_not_found', 'This installation has no documentation');
      const { headers, body } = htmlPage({ title: `${name} · Surety`, body: guideHtml(readFileSync(file, 'utf8')) });
      return { headers, body };
    },
  ),
);

/** Formats a page of docs/ as HTML. Links to pages that are not served become texts. */
export function guideHtml(markdown: string): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        return `<h${depth} id="${escapeHtml(anchorOf(text))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const text = this.parser.parseInline(tokens);
        const target = servedAddress(href);
        return target === undefined ? text : `<a href="${escapeHtml(target)}">${text}</a>`;
      },
    },
  });
  return marked.parse(markdown, { async: false });
}

/** Returns the anchor of a heading, as GitHub makes it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

function servedAddress(href: string): string | undefined {
  if (/^(https?:|#)/.test(href)) return href;
  const [, name = '', anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  return (GUIDES as readonly string[]).includes(name) ? `/docs/guides/${name}${anchor}` : undefined;
}
