import type { RefusalCode } from './refusals.ts';

/**
 * What a command or a query states about itself besides its schemas. Routes, the API reference and the help of the
 * command line follow from it.
 */
export interface OperationText {
  /** Markdown. */
  readonly description: string;
  /**
   * Codes of its refusals, without those that every operation of its kind has
   * (`src/http/reference/openapi/operations.ts`).
   */
  readonly errors: readonly RefusalCode[];
}
