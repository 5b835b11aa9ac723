import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pages = globSync(['*.md', 'docs/*.md', 'docs/decisions/*.md', 'clients/*/*.md'], { cwd: root });
const FOLDERS = ['bin', 'clients', 'commands', 'console', 'docs', 'projections', 'queries', 'src', 'test', 'tools'];
const sourceNames = new Set(
  FOLDERS.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root, exclude: ['**/node_modules'] })).map((file) =>
    basename(file),
  ),
);

function readPage(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}

/** Returns the anchors of a page's headings, as GitHub creates them. */
function anchorsOf(page: string): ReadonlySet<string> {
  const headings = [...readPage(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading.toLowerCase());
  return new Set(headings.map((heading) => heading.replaceAll(/[^\w\- ]/g, '').replaceAll(' ', '-')));
}

function isBroken(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(root, target))) return true;
  return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor);
}

test.each(pages)('%s links to pages and headings that exist', (page) => {
  const links = [...readPage(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  expect(links.filter((link) => !/^(\w+:|\/)/.test(link) && isBroken(page, link))).toEqual([]);
});

test.each(pages)('%s names files and folders that exist', (page) => {
  const names = [...readPage(page).matchAll(/`([\w./-]+)`/g)].map(([, name = '']) => name);
  const paths = names.filter((name) => FOLDERS.some((folder) => name.startsWith(`${folder}/`)));
  const files = names.filter((name) => /^[\w-][\w.-]*\.ts$/.test(name));
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(files.filter((file) => !sourceNames.has(file))).toEqual([]);
});

test('the index of decisions lists every page by its title', () => {
  const index = readPage('docs/decisions/README.md');
  const decisions = pages.map((page) => basename(page)).filter((name) => /^\d{4}-/.test(name));
  expect(decisions.length).toBeGreaterThan(10);
  for (const name of decisions) {
    const [title = ''] = readPage(`docs/decisions/${name}`).split('\n');
    expect(index).toContain(`[${title.replace('# ', '')}](${name})`);
  }
});
