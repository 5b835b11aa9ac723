import { PROJECTIONS } from '#projections/registry.ts';

/** Names of the collections of the read models: all that commands know of projections. */
export const READ_MODEL_COLLECTIONS: readonly string[] = PROJECTIONS.map(({ name }) => name);
