export type * from './api-types.ts';
export type { DownloadFormat, ListOptions } from './api.ts';
export { SuretyClient } from './client.ts';
export * from './errors.ts';
export type { FeedOptions } from './feed.ts';
export type { CallOptions, ClientOptions, CommandOptions } from './http.ts';
export type { PreviewOptions } from './resources/policies.ts';
