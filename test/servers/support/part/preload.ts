/**
 * Loaded into a process of Surety before its program (`node --import`): where the program opens EventStoreDB, it gets a part of
 * the log (`adapter.ts`), and knows nothing of it. All else is the build as it is.
 */
import { registerHooks } from 'node:module';

const root = new URL('../../../../', import.meta.url).href;
const ours = new URL('adapter.ts', import.meta.url).href;
const built = `${root}dist/src/event-store/eventstoredb/eventstoredb-event-store.js`;

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const byTests = context.parentURL?.startsWith(`${root}test/`) === true;
    if (found.url === built && !byTests) return { ...found, url: ours, format: 'module-typescript' };
    // What the part uses must be of the build too: an error of another copy would be none that the program knows.
    if (byTests && found.url.startsWith(`${root}src/`)) return { ...found, url: ofBuild(found.url), format: 'module' };
    return found;
  },
});

function ofBuild(source: string): string {
  return `${root}dist/${source.slice(root.length).replace(/\.ts$/, '.js')}`;
}
