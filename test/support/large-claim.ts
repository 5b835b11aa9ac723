import type { HttpDependencies } from '#http/server/dependencies.ts';
import { type ApiService, startApiService } from './api-service.ts';
import { createMerchant } from './merchant-fixture.ts';
import { closeConnections } from './raw-connection.ts';
import { waitUntil } from './wait-until.ts';

const MIB = 1024 * 1024;
/** Size of the document of the claim: larger than the socket buffers of the operating system. */
export const DOCUMENT_BYTES = 7 * MIB;

/** A service with a claim whose single view is large. */
export interface LargeClaim {
  readonly service: ApiService;
  readonly getClaim: string;
  /** The key of a merchant, and the body of a large command. */
  readonly key: string;
  readonly claim: object;
  readonly readMetric: (name: string) => Promise<number>;
}

type Limits = Pick<HttpDependencies, 'bodyMemoryLimits' | 'timeouts'>;

/** Starts a service with a claim whose single view is large, and stops it when no body is in memory any more. */
export async function withLargeClaim(http: Limits, run: (claim: LargeClaim) => Promise<void>): Promise<void> {
  const service = await startApiService({ http });
  const { live } = await createMerchant(service, 'Acme');
  const claim = {
    policy_id: live.policyId,
    claim_details: { claim_type: 'Fire', incident_date: '2026-02-07' },
    documents: [
      { document_name: 'Film', evidence_type: 'mp4', blob: Buffer.alloc(DOCUMENT_BYTES, 7).toString('base64') },
    ],
  };
  const submitted = await service.send('POST', '/api/v1/claims', { key: live.key, body: claim });
  const readMetric = async (name: string): Promise<number> => {
    const { text } = await service.send('GET', '/metrics');
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')
        .at(-1),
    );
  };
  try {
    await run({
      service,
      getClaim: `GET /api/v1/claims/${submitted.json.claim_id} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${live.key}\r\n\r\n`,
      key: live.key,
      claim,
      readMetric,
    });
    closeConnections();
    await waitUntil(async () => (await readMetric('surety_body_bytes')) === 0);
  } finally {
    closeConnections();
    await service.stop();
  }
}
