import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { COMMANDS, findCommand } from './registry.ts';

/** Table "Back office" of the decisions, with the commands that exist. */
const BACK_OFFICE = [
  'RegisterMerchant',
  'UpdateMerchant',
  'ConfirmKyc',
  'ResendVerification',
  'VerifyMerchant',
  'CreateEnvironment',
  'IssueApiKey',
  'RevokeApiKey',
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
  'CancelPolicy',
  'SetAutoRenew',
  'UpdateCustomer',
  'ActivatePolicy',
  'DeclinePolicy',
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
  'DenyClaim',
  'ImportPolicyTerm',
  'ImportClaim',
  'RetryParked',
  'ResendMail',
];

describe('The registry of commands', () => {
  test.each(BACK_OFFICE)('finds %s', (name) => {
    expect(findCommand(name)?.name).toBe(name);
  });

  test('has no other command', () => {
    expect(COMMANDS.map(({ name }) => name).sort()).toEqual([...BACK_OFFICE].sort());
  });

  test('returns undefined for another name', () => {
    expect(findCommand('registerMerchant')).toBeUndefined();
    expect(findCommand('constructor')).toBeUndefined();
  });

  test('names every command once and describes it in one sentence', () => {
    expect(new Set(COMMANDS.map(({ name }) => name)).size).toBe(COMMANDS.length);
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
