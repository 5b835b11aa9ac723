/** Checks that code and docs contain none of the words of `retired-words.json`: each has a plain replacement in use. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { words, folders, exempt } = JSON.parse(readFileSync(new URL('retired-words.json', import.meta.url), 'utf8'));
const retired = new RegExp(`\\b(${words.join('|')})\\b`, 'g');

const inFolders = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name.split(sep).join('/')}`),
);
const files = [...inFolders, ...readdirSync(root)].filter(
  (file) => /\.(ts|mjs|md|yml)$/.test(file) && !exempt.includes(file),
);

for (const file of files) {
  for (const [index, line] of readFileSync(join(root, file), 'utf8').split('\n').entries()) {
    for (const [word] of line.matchAll(retired)) {
      console.error(
        `${file}:${index + 1}: "${word}". Write a plain word instead: tools/retired-words.json lists the retired ones.`,
      );
      process.exitCode = 1;
    }
  }
}
