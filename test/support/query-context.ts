import type { QueryContext } from '#queries/query.ts';

const absent = (what: string) => async (): Promise<never> =>
  await Promise.reject(new Error(`there is no ${what} here`));

/** Parts of the context that most queries do not need. */
export const UNUSED_PARTS: Pick<
  QueryContext,
  'basePath' | 'latestRecordedAt' | 'replay' | 'runPortfolio' | 'renderCertificate' | 'publicEvents' | 'checkKey'
> = {
  basePath: '',
  latestRecordedAt: async () => await Promise.resolve(undefined),
  replay: async (read) => await read(),
  runPortfolio: absent('portfolio'),
  renderCertificate: absent('certificate'),
  publicEvents: {
    structuredEventOf: () => undefined,
    publishedPosition: () => 0n,
    requireCaughtUp: () => {},
    startPoll: () => undefined,
    countRefused: () => {},
    makePage: async (make) => await make(),
    makeWokenPage: async (make) => await make(),
  },
  checkKey: async () => {},
};
