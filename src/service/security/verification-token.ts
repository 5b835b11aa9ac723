import { createHmac } from 'node:crypto';

const TOKEN_BYTES = 24;

/**
 * Creates the function that computes the tokens of verification links: HMAC-SHA-256 of tenant id and serial number
 * under the service's secret, as base64url. Tokens are reproducible, so they are not stored.
 */
export function verificationTokens(secret: string): (tenantId: string, serial: number) => string {
  return (tenantId, serial) =>
    createHmac('sha256', secret)
      .update(`merchant-verification ${tenantId} ${serial}`)
      .digest()
      .subarray(0, TOKEN_BYTES)
      .toString('base64url');
}
