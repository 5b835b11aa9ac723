import { readModelsIn } from '#service/config/data-folder.ts';

/** Returns the name of the newest read models in a data folder. */
export function nameOfReadModelsIn(folder: string): string {
  const newest = readModelsIn(folder).reduce((a, b) => (b.number > a.number ? b : a));
  return newest.name;
}
