import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { claimStream } from '#domain/claim/claim.ts';
import type { AnyCommand } from '#event-sourcing/executor/command.ts';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { CommandHarness, LIVE, MERCHANT, TEST } from '#test/support/command-harness.ts';
import { type ExampleIds, exampleBody } from '#test/support/example-bodies.ts';
import { givenMerchants, importPolicy, OTHER_MERCHANT } from '#test/support/imports.ts';
import { givenQuote } from '#test/support/quotes.ts';
import { submitClaim } from './claim/submit-claim.ts';
import { COMMANDS, findCommand } from './registry.ts';

/** Every command of the platform. */
const COMMAND_NAMES = [
  'RegisterMerchant',
  'UpdateMerchant',
  'ConfirmKyc',
  'ResendVerification',
  'VerifyMerchant',
  'CreateEnvironment',
  'IssueApiKey',
  'RevokeApiKey',
  'AddPerson',
  'UpdatePerson',
  'RemovePerson',
  'EndSessions',
  'IssueTicket',
  'RegisterProvider',
  'UpdateProvider',
  'ConfirmProvider',
  'WithdrawProvider',
  'AddProduct',
  'UpdateProduct',
  'WithdrawProduct',
  'RestoreProduct',
  'RequestQuotes',
  'PurchasePolicy',
  'RenewPolicy',
  'ChangePolicy',
  'CancelPolicy',
  'SetAutoRenew',
  'SetBeneficiaries',
  'UpdateCustomer',
  'ActivatePolicy',
  'DeclinePolicy',
  'ReinstatePolicy',
  'WithdrawTerm',
  'SubmitClaim',
  'ReviewClaim',
  'SendClaimForApproval',
  'ApproveClaim',
  'SendClaimOffer',
  'AcceptClaimOffer',
  'RejectClaimOffer',
  'AddClaimDocuments',
  'PayClaim',
  'ReversePayment',
  'DenyClaim',
  'WithdrawClaim',
  'ReopenClaim',
  'ReviseClaim',
  'AddClaimNote',
  'AssignClaim',
  'ImportPolicyTerm',
  'ImportClaim',
  'RetryParked',
  'ResendMail',
];

describe('The registry of commands', () => {
  test('has these commands, each once', () => {
    expect(COMMANDS.map(({ name }) => name).sort()).toEqual([...COMMAND_NAMES].sort());
    for (const command of COMMANDS) expect(findCommand(command.name)).toBe(command);
  });

  test('returns undefined for another name', () => {
    expect(findCommand('registerMerchant')).toBeUndefined();
    expect(findCommand('constructor')).toBeUndefined();
  });

  test('describes every command in one sentence', () => {
    for (const { summary } of COMMANDS) expect(summary).toMatch(/^[A-Z].*\.$/);
  });

  test.each(COMMANDS.map((command) => [command.name, command] as const))(
    'shows the input of %s as a closed JSON Schema',
    (_name, command) => {
      expect(z.toJSONSchema(command.input, { io: 'input' })).toMatchObject({
        type: 'object',
        additionalProperties: false,
      });
    },
  );

  test.each(COMMANDS.map((command) => [command.name, command] as const))(
    'lets administrators run %s',
    (_name, command) => {
      expect(command.roles).toContain('admin');
    },
  );

  test.each(COMMANDS.map((command) => [command.name, command] as const))(
    'names an unknown field given to %s',
    (_name, command) => {
      const parsed = command.input.safeParse({ surely_unknown: 1 });
      const named = parsed.error?.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
      expect(named).toEqual(['surely_unknown']);
    },
  );
});

describe('A command that names something', () => {
  const none = derivedId('none');
  const unknown: ExampleIds = {
    shortCode: 'NON-0000',
    token: 'a token',
    environmentId: 9,
    keyId: 'unknown',
    personId: none,
    policyNumber: 'NO',
    providerId: none,
    productId: none,
    policyId: none,
    customerId: none,
    claimId: none,
    paymentId: none,
    jobId: none,
    today: '2026-03-01',
    quoteCode: 'Quo_00000_00000000',
    renewalDay: '2027-01-01',
    incidentDay: '2026-02-02',
    uniqueName: 'word',
  };
  const namesNothing = ['RegisterMerchant', 'RegisterProvider', 'RequestQuotes', 'ImportPolicyTerm'];
  const naming = COMMANDS.filter(({ name }) => !namesNothing.includes(name));
  const refusalOf = async (harness: CommandHarness, command: AnyCommand, ids: ExampleIds, sent: object = {}) => {
    const before = await harness.log();
    const { code } = await harness.expectRefusal(command, exampleBody(command.name, ids), { key: 'k', ...sent });
    expect(await harness.log()).toEqual(before);
    return code;
  };

  test.each(naming.map((command) => [command.name, command] as const))(
    '%s is refused when it is not there, and writes nothing',
    async (name, command) => {
      const code = await refusalOf(new CommandHarness(), command, unknown);
      expect(code).toMatch(name === 'VerifyMerchant' ? 'invalid_verification_token' : /^[a-z_]+_not_found$/);
    },
  );

  test('is refused alike when it is of another merchant or mode', async () => {
    const harness = new CommandHarness();
    await givenMerchants(harness);
    const { policyId } = await importPolicy(harness);
    const claim_details = { claim_type: 'theft', incident_date: '2026-02-01' };
    const { result } = await harness.run(submitClaim, { policy_id: policyId, claim_details });
    const { quote_code } = await givenQuote(harness.eventStore, LIVE);
    const claimId = String(result.claim_id);
    const { customerId } = (await harness.data(claimStream(claimId), 0)) as { readonly customerId: string };
    const names = { policyId, policyNumber: 'POL-1', customerId, claimId, quoteCode: quote_code };
    for (const command of naming.filter(({ name, roles }) => roles.includes('merchant') && name !== 'VerifyMerchant')) {
      for (const environment of [OTHER_MERCHANT, TEST]) {
        const code = await refusalOf(harness, command, { ...unknown, ...names }, { actor: MERCHANT, environment });
        expect([command.name, code]).toEqual([command.name, expect.stringMatching(/^[a-z]+_not_found$/)]);
      }
    }
  });
});
