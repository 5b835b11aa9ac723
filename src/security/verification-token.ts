import { createHmac } from 'node:crypto';

/** 24 bytes: 192 bits of the HMAC. */
const TOKEN_BYTES = 24;

/**
 * Makes the tokens of verification links: HMAC-SHA-256 under the service's secret of tenant id and serial number, as URL-safe
 * text (`decisions`: Merchants). The same secret makes the same token again, so it need not be kept anywhere.
 */
export function verificationTokens(secret: string): (tenantId: string, serial: number) => string {
  return (tenantId, serial) =>
    createHmac('sha256', secret)
      .update(`merchant-verification ${tenantId} ${serial}`)
      .digest()
      .subarray(0, TOKEN_BYTES)
      .toString('base64url');
}
