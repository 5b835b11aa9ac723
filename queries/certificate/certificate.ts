import type { Day } from '#event-sourcing/time.ts';

/** Version of the layout. Raise it when the PDF of the same certificate has other bytes: entity tags contain it. */
export const LAYOUT_VERSION = 2;

export interface CertificateColumn {
  readonly heading: string;
  /** Part of the width of the table; the parts of all columns add up to 1. */
  readonly part: number;
  readonly isAmount?: true;
}

export interface CertificateRow {
  readonly cells: readonly string[];
  /** Text below the cells, as wide as the table. */
  readonly note?: string;
  readonly isTotal?: true;
}

export interface CertificateSection {
  readonly heading: string;
  readonly fields?: readonly (readonly [label: string, text: string])[];
  readonly table?: {
    readonly columns: readonly CertificateColumn[];
    readonly rows: readonly CertificateRow[];
  };
}

/** The texts of a certificate of insurance, in their order. The layout adds page numbers and nothing else. */
export interface Certificate {
  readonly title: string;
  /** The day and the knowledge that it shows. */
  readonly subtitle: string;
  /** Shown in a box, as for a cancellation; null without one. */
  readonly notice: string | null;
  readonly testMode: boolean;
  readonly policyId: string;
  readonly policyNumber: string;
  /** First day of the term. The PDF has it as its date of creation, because the same certificate has the same bytes. */
  readonly from: Day;
  readonly sections: readonly CertificateSection[];
}

/** What `RenderCertificate` throws. */
export const RENDER_ERRORS = ['certificate_too_large'] as const;

/**
 * Makes the PDF of a certificate outside the event loop of the service, one at a time, as long as the signal does not
 * abort.
 * @param certificate JSON text of a `Certificate`
 * @throws {Refusal} when it is too large, or the service stops
 */
export type RenderCertificate = (certificate: string, signal: AbortSignal) => Promise<Uint8Array>;
