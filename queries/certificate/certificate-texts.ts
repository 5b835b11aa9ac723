import { type PolicyView, policyViewOn } from '#projections/policies/policy-resource.ts';
import { firstTerm, isInForce, lastDayOfCover, shownTerm, termsNotWithdrawn } from '#domain/policy/cover.ts';
import type { End, PolicyState } from '#domain/policy/policy.ts';
import { contains, type Period, periodOn, type Term } from '#domain/policy/term.ts';
import type { Day, Instant } from '#event-sourcing/time.ts';
import type { PointInTime } from '../history/point-in-time.ts';
import type { Certificate, CertificateRow, CertificateSection } from './certificate.ts';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const NOT_STATED = 'not stated';

/**
 * Returns the certificate of a policy on a day in its zone: what its view on this day shows, with the parts of the
 * premium.
 */
export function certificateOf(policy: PolicyState, day: Day, pointInTime: PointInTime | undefined): Certificate {
  const view = policyViewOn(policy, day);
  const term = shownTerm(policy, day);
  return {
    title: 'Certificate of insurance',
    subtitle: subtitleOf(day, pointInTime),
    notice: policy.end === null ? noticeOfCover(policy, day) : noticeOfEnd(policy, policy.end, view),
    testMode: view.test_mode,
    policyId: view.policy_id,
    policyNumber: view.policy_number,
    from: view.effective_from,
    sections: [
      policySection(view),
      partiesSection(policy, view),
      coverSection(policy, view),
      coveragesSection(policy, view, periodOn(term, day)),
      premiumSection(term, view),
      ...beneficiariesSections(view),
    ],
  };
}

/** Without `as_of` the certificate is of its day too, but shows an end that is recorded for a later one. */
function subtitleOf(day: Day, pointInTime: PointInTime | undefined): string {
  const known = pointInTime?.known_at === undefined ? '' : `, as it was known on ${dateTimeText(pointInTime.known_at)}`;
  const later = pointInTime?.as_of === undefined ? '' : ' What takes effect on later days is not shown.';
  return `The policy on ${dayText(day)}${known}.${later}`;
}

function noticeOfEnd(policy: PolicyState, { day, refundRule }: End, { status }: PolicyView): string {
  const lastDay = lastDayOfCover(policy);
  if (lastDay === null) return 'Cancelled before the first day of cover. This policy never gave cover.';
  if (refundRule === 'cooling_off' && contains(firstTerm(policy), day))
    return 'Cancelled in the cooling-off time. No incident in this term is covered.';
  const sentence = `The last day of cover is ${dayText(lastDay)}.`;
  return status === 'cancelled' ? `Cancelled. ${sentence}` : `Cancelled for a later day. ${sentence}`;
}

/**
 * Returns what is said of a policy without an end that gives no cover on the day; null when it gives cover, or has not
 * begun.
 */
function noticeOfCover(policy: PolicyState, day: Day): string | null {
  if (isInForce(policy, day) || day < firstTerm(policy).from) return null;
  const lastDay = `The last day of cover was ${dayText(shownTerm(policy, day).through)}.`;
  const next = termsNotWithdrawn(policy).find(({ from }) => from > day);
  if (next === undefined) return `Cover has ended. ${lastDay}`;
  return `The policy gives no cover on this day. ${lastDay} Cover begins again on ${dayText(next.from)}.`;
}

function policySection({ policy_number, policy_id, status, in_force, effective_from }: PolicyView): CertificateSection {
  const statusText = {
    accepted: `Accepted; cover begins on ${dayText(effective_from)}`,
    active: in_force ? 'In force' : 'Not in force',
    cancelled: 'Cancelled',
  }[status];
  return {
    heading: 'Policy',
    fields: [
      ['Policy number', policy_number],
      ['Status', statusText],
      ['Policy id', policy_id],
    ],
  };
}

function partiesSection({ contract: { holder } }: PolicyState, { provider, merchant }: PolicyView): CertificateSection {
  return {
    heading: 'Parties',
    fields: [
      ['Insurer', provider.provider_name],
      ...fieldIfKnown('Contact of the insurer', provider.email),
      ['Distributor', merchant],
      ['Policy holder', holder.name],
      ['E-mail', holder.email],
      ...fieldIfKnown('Phone', holder.phone),
      ...fieldIfKnown('Address', holder.address),
    ],
  };
}

function fieldIfKnown(label: string, text: string | null): (readonly [string, string])[] {
  return text === null || text === '' ? [] : [[label, text]];
}

function coverSection(policy: PolicyState, view: PolicyView): CertificateSection {
  const { product, policy_type, effective_from: from, effective_through: through, time_zone } = view;
  const lastDay = lastDayOfCover(policy);
  return {
    heading: 'Cover',
    fields: [
      ['Product', product.name],
      ['Type', policy_type.replaceAll('_', ' ')],
      [policy.end === null ? 'Term' : 'Agreed term', `${rangeText(from, through)}, both days included`],
      ...fieldIfKnown('Last day of cover', lastDay && dayText(lastDay)),
      ['Time zone', time_zone],
    ],
  };
}

function rangeText(from: Day, through: Day): string {
  return `${dayText(from)} through ${dayText(through)}`;
}

/** Coverages that were changed in the middle of a term are those of a period, whose days the heading names. */
function coveragesSection(policy: PolicyState, view: PolicyView, { from, through }: Period): CertificateSection {
  const { coverages, currency, effective_from, effective_through } = view;
  const isWholeTerm = from === effective_from && through === effective_through;
  const heading = isWholeTerm ? 'Coverages' : `Coverages from ${rangeText(from, through)}`;
  const amountOr = (amount: string | null): string =>
    amount === null ? (policy.contract.isImported ? NOT_STATED : 'none') : amountText(amount);
  const rows = coverages.map(
    ({ coverage_name, coverage_type, coverage_limit, deductible, covered_items }): CertificateRow => ({
      cells: [coverage_name, coverage_type ?? '', amountOr(coverage_limit), amountOr(deductible)],
      ...(covered_items === undefined ? {} : { note: `Covered items: ${itemsText(covered_items)}` }),
    }),
  );
  if (rows.length === 0) return { heading, fields: [['Coverages', 'none recorded']] };
  return {
    heading,
    table: {
      columns: [
        { heading: 'Coverage', part: 0.36 },
        { heading: 'Type', part: 0.22 },
        { heading: `Limit (${currency})`, part: 0.21, isAmount: true },
        { heading: `Deductible (${currency})`, part: 0.21, isAmount: true },
      ],
      rows,
    },
  };
}

/** Returns covered items, which a merchant may send as any JSON, as a text. */
function itemsText(items: unknown): string {
  if (typeof items === 'string') return items;
  return Array.isArray(items) ? items.map(itemsText).join(', ') : JSON.stringify(items);
}

function premiumSection({ net, fee, tax, premium }: Term, { currency }: PolicyView): CertificateSection {
  return {
    heading: 'Premium agreed for the term',
    table: {
      columns: [
        { heading: 'Part', part: 0.7 },
        { heading: `Amount (${currency})`, part: 0.3, isAmount: true },
      ],
      rows: [
        { cells: [tax === null ? 'Net price, tax included' : 'Net price', amountText(net)] },
        { cells: ['Fee', amountText(fee)] },
        { cells: ['Tax', tax === null ? 'part of the net price, not known' : amountText(tax)] },
        { cells: ['Premium', amountText(premium)], isTotal: true },
      ],
    },
  };
}

function beneficiariesSections({ beneficiaries }: PolicyView): readonly CertificateSection[] {
  if (beneficiaries.length === 0) return [];
  const rows = beneficiaries.map(({ beneficiary_name, relationship, share_percent }) => ({
    cells: [
      beneficiary_name,
      relationship ?? NOT_STATED,
      share_percent === null ? NOT_STATED : `${amountText(share_percent)} %`,
    ],
  }));
  const columns = [
    { heading: 'Name', part: 0.5 },
    { heading: 'Relationship', part: 0.3 },
    { heading: 'Share', part: 0.2, isAmount: true } as const,
  ];
  return [{ heading: 'Beneficiaries', table: { columns, rows } }];
}

/** Returns an amount with commas between groups of three digits: `1234567.80` → `1,234,567.80`. */
function amountText(amount: string): string {
  return amount.replace(/\B(?=(?:\d{3})+\.)/g, ',');
}

/** Returns a day as in `10 March 2026`. */
function dayText(day: Day): string {
  const [year, month, dayOfMonth] = day.split('-');
  return `${Number(dayOfMonth)} ${MONTHS[Number(month) - 1]} ${year}`;
}

function dateTimeText(instant: Instant): string {
  const [day = '', time = ''] = instant.split('T');
  return `${dayText(day)} at ${time.replace('Z', '')} UTC`;
}
