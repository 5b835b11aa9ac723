import { beforeEach, describe, expect, test } from '@jest/globals';
import { merchantStream } from '#domain/merchant/merchant.ts';
import { setUpMerchant } from '#test/support/admin-fixtures.ts';
import { CommandHarness } from '#test/support/command-harness.ts';
import { resendVerification } from './resend-verification.ts';
import { verifyMerchant } from './verify-merchant.ts';

let h: CommandHarness;
let shortCode: string;
let tenantId: string;
beforeEach(async () => {
  h = new CommandHarness();
  ({ shortCode, tenantId } = await setUpMerchant(h));
});

const tokenOf = (serial: number, tenant = tenantId): string => h.ports.services.verificationToken(tenant, serial);

async function typesOf(stream: string): Promise<string[]> {
  return (await h.events(stream)).map(({ type }) => type);
}

/** The refusal of a click, and that it wrote nothing. */
async function refused(input: { readonly short_code: string; readonly token: string }): Promise<unknown> {
  const before = await h.log();
  const { code, message, fields } = await h.expectRefusal(verifyMerchant, input);
  expect(await h.log()).toEqual(before);
  return { code, message, fields };
}

const INVALID = { code: 'invalid_verification_token', message: 'Invalid verification token', fields: [] };

describe('VerifyMerchant', () => {
  test('succeeds again with a used token and writes nothing', async () => {
    await h.run(verifyMerchant, { short_code: shortCode, token: tokenOf(1) });
    const before = await h.log();
    h.now = '2026-03-02T09:59:59.999Z';
    const again = await h.run(verifyMerchant, { short_code: shortCode.toLowerCase(), token: tokenOf(1) });
    expect(again.replayed).toBe(true);
    expect(await h.log()).toEqual(before);
  });

  test('returns the same error for every reason', async () => {
    const other = await setUpMerchant(h, { name: 'Other' });
    const tokens = ['', 'wrong', tokenOf(2), `${tokenOf(1)} `, tokenOf(1, other.tenantId)];
    for (const token of tokens) expect(await refused({ short_code: shortCode, token })).toEqual(INVALID);
    expect(await refused({ short_code: 'NON-0000', token: tokenOf(1) })).toEqual(INVALID);
  });

  test('rejects an expired token, used before or not', async () => {
    const input = { short_code: shortCode, token: tokenOf(1) };
    h.now = '2026-03-02T10:00:00.000Z';
    expect(await refused(input)).toEqual(INVALID);
    h.now = '2026-03-01T10:00:00.000Z';
    await h.run(verifyMerchant, input);
    h.now = '2026-03-02T10:00:00.000Z';
    expect(await refused(input)).toEqual(INVALID);
  });

  test('rejects the old link when a new one is requested concurrently', async () => {
    const stream = merchantStream(tenantId);
    const { readStream } = h.eventStore;
    let reads = 0;
    h.eventStore.readStream = async (...asked: Parameters<typeof readStream>) => {
      const read = await readStream.apply(h.eventStore, asked);
      if (asked[0] === stream && ++reads === 1) await h.run(resendVerification, { short_code: shortCode });
      return read;
    };
    const { code } = await h.expectRefusal(verifyMerchant, { short_code: shortCode, token: tokenOf(1) });
    expect(code).toBe('invalid_verification_token');
    expect(await typesOf(stream)).not.toContain('MerchantVerified');
  });
});
