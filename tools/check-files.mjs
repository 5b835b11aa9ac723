/**
 * Checks the length of files and comments, that code which must be deterministic reads no clock and uses no random
 * values, and that operations make their refusals with typed codes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const folders = ['src', 'commands', 'projections', 'queries', 'clients/typescript/src', 'console/src', 'test'];
const longestFile = 450;
const longestComment = 120;
/** Generated, and compared with its source by a test. */
const generated = ['clients/typescript/src/api-types.ts'];

const pureCode = /^(commands|projections|queries|src\/(domain|event-sourcing))\//;
/** Matched line by line; an injected `randomBytes` is allowed, that of Node is not. */
const impure = [
  { pattern: /\bDate\.now\b/, name: 'Date.now' },
  { pattern: /\bnew Date\s*(\(\s*\)|(?!\s*\())/, name: 'new Date() without an argument' },
  { pattern: /\bMath\.random\b/, name: 'Math.random' },
  { pattern: /\bperformance\.now\b/, name: 'performance.now' },
  { pattern: /\bcrypto\.(random|getRandom)\w+/, name: 'chance from crypto' },
];

/** Refusals of operations are made by `refusalsOf`, whose codes the operation lists in `errors`. */
const operations = /^(commands|queries)\//;
const untypedRefusal = /\bnew Refusal\(/;

/** Matched in the whole file, because an import may span lines. */
const impureImports = [
  { pattern: /import\s*\{[^}]*\brandom\w+[^}]*\}\s*from\s*['"](node:)?crypto['"]/, name: 'chance from node:crypto' },
  { pattern: /import\s*\{[^}]*\bv[1467]\b[^}]*\}\s*from\s*['"]uuid['"]/, name: 'an id derived from chance or time' },
];

const problems = folders
  .flatMap(sources)
  .filter((file) => !generated.includes(file))
  .flatMap(problemsOf);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

function sources(folder) {
  let names;
  try {
    names = readdirSync(join(root, folder), { recursive: true });
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
  return names.filter((name) => /\.tsx?$/.test(name)).map((name) => `${folder}/${name.split(sep).join('/')}`);
}

function problemsOf(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const lines = text.replace(/\n$/, '').split('\n');
  const found = [];
  if (lines.length > longestFile) {
    found.push(`${file}: ${lines.length} lines; ${longestFile} is the limit. Split it by reason to change.`);
  }
  for (const [index, line] of lines.entries())
    if (isComment(line) && line.length > longestComment)
      found.push(`${file}:${index + 1}: a comment of more than ${longestComment} columns.`);
  if (!pureCode.test(file) || file.endsWith('.test.ts')) return found;
  const reason = 'Time, new ids and chance come in with the command.';
  for (const [index, line] of lines.entries()) {
    if (isComment(line)) continue;
    found.push(...namesIn(impure, line).map((name) => `${file}:${index + 1}: ${name}. ${reason}`));
    if (operations.test(file) && untypedRefusal.test(line))
      found.push(
        `${file}:${index + 1}: new Refusal. Use refusalsOf, and list its codes in the errors of the operation.`,
      );
  }
  found.push(...namesIn(impureImports, text).map((name) => `${file}: imports ${name}. ${reason}`));
  return found;
}

function namesIn(list, text) {
  return list.filter(({ pattern }) => pattern.test(text)).map(({ name }) => name);
}

/** Removes comments, which may mention what code must not use. */
function isComment(line) {
  return /^\s*(\/\/|\/?\*)/.test(line);
}
