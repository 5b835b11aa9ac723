import { createHash } from 'node:crypto';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export function base32Of(text: string, length: number): string {
  const bytes = createHash('sha256').update(text, 'utf8').digest();
  let result = '';
  for (let i = 0; i < length; i++) result += CROCKFORD[(bytes[i] ?? 0) % 32];
  return result;
}

export function threeLetters(name: string): string {
  const letters = name
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toUpperCase();
  return letters.slice(0, 3).padEnd(3, 'X');
}
