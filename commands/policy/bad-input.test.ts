import { expect, test } from '@jest/globals';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { CommandHarness, invalidFields } from '#test/support/command-harness.ts';
import { policyRow } from '#test/support/imports.ts';
import { CUSTOMER } from '#test/support/quotes.ts';
import { activatePolicy } from './activate-policy.ts';
import { cancelPolicy } from './cancel-policy.ts';
import { changePolicy } from './change-policy.ts';
import { declinePolicy } from './decline-policy.ts';
import { importPolicyTerm } from './import-policy-term.ts';
import { purchasePolicy } from './purchase-policy.ts';
import { reinstatePolicy } from './reinstate-policy.ts';
import { renewPolicy } from './renew-policy.ts';
import { setAutoRenew } from './set-auto-renew.ts';
import { withdrawTerm } from './withdraw-term.ts';

const long = (length: number) => 'x'.repeat(length);
const nested = (open: string, close: string) => JSON.parse(`${open.repeat(40)}1${close.repeat(40)}`) as unknown;
const policy_id = derivedId('policy');
const NOT_DAYS = ['2026-02-30', '2026-2-3', '20260301', '', 5, null];
const NOT_TEXTS = ['', ' ', long(501), 5, null, 'a\u0000', '\ud800'];
const NOT_AMOUNTS = ['', 'much', '1.005', 1.005, 1e21, '100000000', '1,5', null, true, {}, ['12.50']];
const NOT_DURATIONS = [0, -1, 366, 1.5, '30', null];
const NOT_FLAGS = ['yes', 1, null];

/** Each value of a field, alone in an otherwise good body. */
const each = (field: string, values: readonly unknown[]): readonly (readonly [object, readonly string[]])[] =>
  values.map((value) => [{ [field]: value }, [field]] as const);
/** The same in one change of a coverage, or in the details of a renewal. */
const inside = (container: string, base: object, field: string, values: readonly unknown[]) =>
  values.map((value) => {
    const part = { ...base, [field]: value };
    const path = container === 'changes' ? `changes.0.${field}` : `${container}.${field}`;
    return [{ [container]: container === 'changes' ? [part] : part }, [path]] as const;
  });
const modify = { action: 'modify', coverage_name: 'fire' };
const added = { include_additional_coverage: true };
const detail = (field: string, values: readonly unknown[]) =>
  inside('coverage_details', { coverage_type: 'radio' }, field, values).map(
    ([body, fields]) => [{ ...added, ...body }, fields] as const,
  );
const change = (field: string, values: readonly unknown[], base: object = modify) =>
  inside('changes', base, field, values);
const ended = { cancelled_on: '2026-01-31' };

const WRONG = [
  [
    purchasePolicy,
    { quote_code: 'Quo_00000_00000000' },
    [
      ...each('policy_duration', NOT_DURATIONS),
      ...each('effective_from', NOT_DAYS),
      ...each('auto_renew', NOT_FLAGS),
      ...each('quote_code', [5, '', long(65)]),
      ...each('premium', ['1.00']),
      ...each('beneficiaries', [Array.from({ length: 101 }, () => ({ beneficiary_name: 'B' })), {}, null]),
      [{ beneficiaries: [{ beneficiary_name: ' ' }] }, ['beneficiaries.0.beneficiary_name']],
      [{ customer_metadata: { ...CUSTOMER, email: 'nobody' } }, ['customer_metadata.email']],
      [{ quote_code: undefined }, ['quote_code']],
    ],
  ],
  [
    renewPolicy,
    { policy_id, preferred_policy_start_date: '2027-01-01', policy_duration: 365 },
    [
      ...each('policy_duration', [...NOT_DURATIONS, undefined]),
      ...each('preferred_policy_start_date', [...NOT_DAYS, undefined]),
      ...['auto_renew', 'include_additional_coverage', 'modify_exisitng_coverage'].flatMap((flag) =>
        each(flag, NOT_FLAGS),
      ),
      ...each('coverage_details', ['glass', null, []]),
      ...each('policy_id', ['1', 5, undefined]),
      ...each('policy_number', [long(256), ' ', 5]),
      ...each('unknown', [1]),
      [added, ['coverage_details']],
      [{ modify_exisitng_coverage: true }, ['coverage_details']],
      [
        { ...added, modify_exisitng_coverage: true, coverage_details: { coverage_type: 'a' } },
        ['modify_exisitng_coverage'],
      ],
      [{ coverage_details: { a: 1 } }, ['include_additional_coverage', 'modify_exisitng_coverage']],
      [{ ...added, coverage_details: nested('{"a":', '}') }, ['coverage_details', 'coverage_details.coverage_type']],
      ...detail('coverage_type', ['', ' ', long(256), 7, null, undefined]),
      ...detail('coverage_name', ['', long(256), 7, null]),
      ...detail('coverage_limit', [...NOT_AMOUNTS.filter((value) => value !== null), -1, '-0.01']),
      ...detail('deductible', [-1, 'much']),
      ...detail('additional_amount', NOT_AMOUNTS),
    ],
  ],
  [
    changePolicy,
    { policy_id, changes: [modify] },
    [
      ...each('changes', [undefined, null, [], {}, Array.from({ length: 21 }, () => modify)]),
      ...each('reason', NOT_TEXTS),
      ...each('effective_on', ['2026-03-01']),
      [{ changes: [5] }, ['changes.0']],
      ...change('action', ['replace', '', null, undefined, 5]),
      ...change('coverage_name', ['', ' ', long(256), 5, 'a\nb', null, undefined]),
      ...change('coverage_type', ['', long(256), 5, null]),
      ...change('coverage_limit', [...NOT_AMOUNTS.filter((value) => value !== null), '-0.01', -1]),
      ...change('deductible', [...NOT_AMOUNTS.filter((value) => value !== null), '-0.01', -1]),
      ...change('covered_items', [nested('[', ']'), { note: ['a\u0007'] }]),
      ...change('additional_amount', NOT_AMOUNTS),
      ...change('premium', ['1.00']),
      ...['coverage_limit', 'deductible'].flatMap((member) =>
        change(member, [null, '1.00'], { ...modify, action: 'remove' }),
      ),
      ...change('covered_items', [null, []], { ...modify, action: 'remove' }),
      [{ changes: [modify, { action: 'add', deductible: 'x' }] }, ['changes.1.coverage_name', 'changes.1.deductible']],
    ],
  ],
  [
    cancelPolicy,
    { policy_id, cancellation_reason: 'sold' },
    [
      ...each('cancellation_reason', [...NOT_TEXTS, undefined]),
      ...each('effective_on', NOT_DAYS),
      ...each('merchant_feedback', [long(501), 5, null]),
      ...each('alternative_offerings', [nested('[', ']')]),
      ...each('policy_id', ['1', undefined]),
      ...each('more', [true]),
    ],
  ],
  [
    reinstatePolicy,
    { policy_id, reason: 'mistake' },
    [...each('reason', [...NOT_TEXTS, undefined]), ...each('policy_id', ['1'])],
  ],
  [declinePolicy, { policy_id, reason: 'too old' }, each('reason', [...NOT_TEXTS, undefined])],
  [
    withdrawTerm,
    { policy_id, from: '2027-01-01', reason: 'x' },
    [...each('from', [...NOT_DAYS, undefined]), ...each('reason', NOT_TEXTS)],
  ],
  [activatePolicy, { policy_id }, each('policy_id', ['1', 5, undefined])],
  [setAutoRenew, { policy_id, auto_renew: true }, each('auto_renew', [...NOT_FLAGS, undefined])],
  [
    importPolicyTerm,
    policyRow({ premium: '120.00' }),
    [
      ...['term_from', 'term_through'].flatMap((field) => each(field, NOT_DAYS)),
      ...each('term_through', ['2025-12-31']),
      ...each('premium', [...NOT_AMOUNTS.filter((value) => value !== null), '-1.00', undefined]),
      ...each('tax', ['much', '-0.01', '120.00', '120.01', 120, null]),
      ...each('commission', ['much', '-0.01', '120.01', 120.5, null]),
      [{ tax: '20.00', commission: '100.01' }, ['commission']],
      [{ premium: '0.00', tax: '0.01' }, ['tax']],
      ...each('auto_renew', ['yes', '1', true, null]),
      ...each('currency', ['eur', 'EURO', 'JPY', 'XYZ', '', undefined]),
      ...each('cancelled_on', ['soon', '2025-12-31', '2027-01-01']),
      ...each('cancellation_reason', ['sold', long(501)]),
      ...each('return_premium', ['10.00', 'much']),
      ...['much', '-0.01', '120.01'].map((value) => [{ ...ended, return_premium: value }, ['return_premium']] as const),
      ...each('customer_email', ['nobody']),
      ...each('customer_date_of_birth', ['1980-02-30']),
      ...each('customer_name', ['A\u0000', '']),
      ...each('risk_area', ['\ud800']),
      ...each('premium_theft', ['x']),
      ...each('premium_', ['1.00']),
      ...each('colour', ['red']),
      ...each('product_name', [undefined]),
      ...each('product_type', ['Car']),
    ],
  ],
] as const;

const CASES = WRONG.flatMap(([command, good, bodies]) =>
  bodies.map(
    ([wrong, fields]) =>
      [command.name, JSON.stringify(wrong).slice(0, 120), fields, command, { ...good, ...wrong }] as const,
  ),
);

test.each(CASES)('%s refuses %s, naming %j', async (_name, _wrong, fields, command, body) => {
  const harness = new CommandHarness();
  const refusal = await harness.expectRefusal(command, body);
  expect(refusal.code).toBe('invalid_request');
  expect([...new Set(invalidFields(refusal))].sort()).toEqual(fields);
  expect(await harness.log()).toEqual([]);
});
