import { readFileSync } from 'node:fs';
import { SECRET_SETTINGS } from './values.ts';

type Variables = Readonly<Record<string, string>>;

/**
 * Reads each secret setting whose file is named by `NAME_FILE`, as containers get secrets. The line break at the end of the file is not
 * part of the secret.
 * @returns the variables with the secrets, and one sentence for each problem
 */
export function readSecretFiles(given: Variables): {
  readonly variables: Variables;
  readonly problems: readonly string[];
} {
  const variables: Record<string, string> = { ...given };
  const problems: string[] = [];
  for (const name of SECRET_SETTINGS) {
    const file = given[`${name}_FILE`];
    if (file === undefined) continue;
    if (name in given) {
      problems.push(`${name} and ${name}_FILE are both set: leave out one of them.`);
      delete variables[name];
      continue;
    }
    try {
      const secret = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
      if (secret === '') problems.push(`${name}_FILE names an empty file: ${file}.`);
      else variables[name] = secret;
    } catch (error) {
      problems.push(`${name}_FILE cannot be read: ${(error as Error).message}.`);
    }
  }
  return { variables, problems };
}
