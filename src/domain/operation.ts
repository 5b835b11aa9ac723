import type { RefusalCode } from './refusals.ts';

/** What a command or a query states about itself besides its schemas. Routes and the API reference follow from it. */
export interface OperationText {
  /** Markdown; the summary where it is left out. */
  readonly description?: string;
  /** Codes of its refusals, without those that every operation of its kind has (`src/http/reference/openapi/operations.ts`). */
  readonly errors?: readonly RefusalCode[];
}
