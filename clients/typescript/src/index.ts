export type * from './api-types.ts';
export type { DownloadFormat, DownloadQuery, ListOptions } from './api.ts';
export { SuretyClient } from './client.ts';
export {
  BadRequestError,
  ConflictError,
  ContentTooLargeError,
  type ErrorCode,
  type FieldError,
  ForbiddenError,
  NoResponseError,
  NotFoundError,
  PreconditionFailedError,
  ServerError,
  SuretyError,
  TooManyRequestsError,
  UnauthorizedError,
  UnprocessableContentError,
} from './errors.ts';
export type { FeedOptions, FeedQuery } from './feed.ts';
export type { CallOptions, ChangeOptions, ClientOptions, CommandOptions } from './http.ts';
export type { Body as RequestBody, Query, ResponseBody } from './operation-types.ts';
export type { Commands } from './resources/admin.ts';
export type { PreviewOptions } from './resources/policies.ts';
