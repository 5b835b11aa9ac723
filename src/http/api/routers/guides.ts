import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { escapeHtml } from '#processes/mails/escape-html.ts';
import { packageFolder } from '#service/config/package-folder.ts';
import { cachedContent } from '../handlers/public-route.ts';
import { htmlPage } from '../messages/html-page.ts';
import { basePathOf } from '../messages/links.ts';
import { Refusal } from '../messages/problem-types.ts';
import type { PublicRoute } from '../../server/route.ts';

type Guide = readonly [name: string, text: string];

/** The pages of docs/ that are served, by their readers. */
const GUIDE_GROUPS: readonly (readonly [reader: string, guides: readonly Guide[]])[] = [
  [
    'For merchants',
    [
      ['api', 'The API on one page: operations, keys, conventions, forms, generated clients.'],
      ['tutorial', 'Every step of a merchant: keys, quotes, a policy, its renewal, claims, cancellations, the feed.'],
      ['insurance', 'The words and the rules of cover, prices, changes, cancellation and the book, with examples.'],
      ['public-events', 'The feed of events, and the Kafka topics.'],
    ],
  ],
  [
    'For the platform and auditors',
    [
      ['console', 'How each role works in it, and sees anything as of any day.'],
      ['console-tutorial', 'A day of an agent, a claims handler, an insurer, an administrator and an auditor.'],
      ['command-line', 'Commands, reads, the feed and imports, from a shell.'],
      ['importing-a-book', 'The files of an import, and what is refused.'],
      ['roles', 'Which operation a key may call, by its role.'],
      ['for-auditors', 'How to replay what happened, see the book on any day, and prove what is shown.'],
    ],
  ],
  [
    'For operators',
    [
      ['runbook', 'Set-up, scaling, backup, upgrade, alerts, guarantees and their limits.'],
      ['configuration', 'Settings, the data folder, limits.'],
      ['moving-to-servers', 'From a data folder to EventStoreDB, MongoDB and Kafka.'],
      ['performance', 'What was measured.'],
      ['tested', 'What was tested, on which servers.'],
      ['versions', 'What may change, and what may not.'],
    ],
  ],
  [
    'For developers of Surety',
    [
      ['architecture', 'The path of a policy through the files.'],
      ['changing-it', 'Where a new field, event, command or query goes.'],
      ['adding-a-process', 'How to react to events or to time.'],
    ],
  ],
];

export const GUIDES = GUIDE_GROUPS.flatMap(([, guides]) => guides.map(([name]) => name));

/** Pages of docs/ that are served elsewhere. */
const OTHER_PAGES: Readonly<Record<string, string>> = { errors: '/docs/errors', events: '/docs/events' };

const SUMMARY = 'Returns a page of the documentation.';

export const guideRoutes: readonly PublicRoute[] = [
  cachedContent({ name: 'Guide', summary: SUMMARY, path: '/docs/guides', isCompressed: true }, (context) =>
    htmlPage({ title: 'Guides · Surety', body: contentsHtml(basePathOf(context.publicUrl)) }, context),
  ),
  ...GUIDES.map((name) =>
    cachedContent({ name: 'Guide', summary: SUMMARY, path: `/docs/guides/${name}`, isCompressed: true }, (context) => {
      const base = basePathOf(context.publicUrl);
      const markdown = readGuide(name);
      return htmlPage({ title: `${titleOf(name, markdown)} · Surety`, body: guideHtml(markdown, base) }, context);
    }),
  ),
];

/** @throws {Refusal} `route_not_found` where the pages were not installed */
function readGuide(name: string): string {
  const file = join(packageFolder(), 'docs', `${name}.md`);
  if (!existsSync(file)) throw new Refusal('route_not_found', 'This installation has no documentation');
  return readFileSync(file, 'utf8');
}

function titleOf(name: string, markdown: string): string {
  return /^# (.+)/.exec(markdown)?.[1] ?? name;
}

function contentsHtml(base: string): string {
  const groups = GUIDE_GROUPS.map(([reader, guides]) => {
    const items = guides.map(([name, text]) => {
      const title = titleOf(name, readGuide(name));
      return `<dt><a href="${escapeHtml(`${base}/docs/guides/${name}`)}">${escapeHtml(title)}</a></dt><dd>${escapeHtml(text)}</dd>`;
    });
    return `<h2>${escapeHtml(reader)}</h2>\n<dl>${items.join('')}</dl>`;
  });
  return `<h1>Guides</h1>\n${groups.join('\n')}`;
}

/**
 * Formats a page of docs/ as HTML. Links to pages that are not served, and pictures, become texts.
 * @param base path of Surety
 */
export function guideHtml(markdown: string, base = ''): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        return `<h${depth} id="${escapeHtml(anchorOf(text))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const text = this.parser.parseInline(tokens);
        const target = servedAddress(href, base);
        return target === undefined ? text : `<a href="${escapeHtml(target)}">${text}</a>`;
      },
      image({ text }: Tokens.Image) {
        return escapeHtml(text);
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

function servedAddress(href: string, base: string): string | undefined {
  if (/^(https?:|#)/.test(href)) return href;
  const [, name = '', anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  const path = GUIDES.includes(name) ? `/docs/guides/${name}` : OTHER_PAGES[name];
  return path === undefined ? undefined : `${base}${path}${anchor}`;
}
