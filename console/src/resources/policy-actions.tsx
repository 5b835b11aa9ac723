import { Command } from '../actions/command.tsx';
import type { CommandProps } from '../actions/command-dialog.tsx';
import type { Claim } from '../../../clients/typescript/src/index.ts';
import { dayNumber, isoDay, lastDay } from '../format.ts';
import { type Session, todayIn } from '../session.ts';
import type { PolicyWithTerms } from './policy-details.tsx';

interface PolicyActionsProps {
  readonly policy: PolicyWithTerms;
  readonly session: Session;
}

const YEAR_DAYS = 365;
/** So many days before the end of the last term a renewal is what comes next. */
const DUE_DAYS = 30;

/** What a person does with a policy, as it is now: the next thing first. */
export function PolicyActions({ policy, session }: PolicyActionsProps) {
  const { policy_id, policy_number, environment_id, status, renewable, auto_renew, beneficiaries } = policy;
  const shared: Omit<CommandProps, 'name'> = {
    session,
    about: policy_number,
    id: policy_id,
    given: { policy_id, environment_id },
    omitted: ['policy_number'],
    guarded: policy,
  };
  const lastAgreed = lastDay(policy.terms.map(({ through }) => through)) ?? policy.effective_through;
  const isActive = status === 'active';
  const isWaiting = !isActive && status !== 'cancelled';
  const today = todayIn(policy.time_zone);
  const isDue = isActive && renewable && dayNumber(lastAgreed) - dayNumber(today) <= DUE_DAYS;
  const coverageNames = namesOfCoverages(policy);
  const coverageTypes = policy.coverages.flatMap(({ coverage_type }) => coverage_type ?? []);
  // All of them, also those that it does not take now: one that was executed may have had no answer.
  return (
    <>
      <Command {...shared} name="ReinstatePolicy" look="primary" isAllowed={status === 'cancelled'} />
      <Command {...shared} name="ActivatePolicy" look="primary" isAllowed={isWaiting} />
      <Command {...shared} name="DeclinePolicy" look="danger" isAllowed={isWaiting} />
      <Command
        {...shared}
        name="SubmitClaim"
        look={isActive && !isDue ? 'primary' : 'plain'}
        isAllowed={!isWaiting}
        guarded={undefined}
        initial={{ claim_details: { incident_date: today } }}
        choices={{ coverage_name: coverageNames.map((name) => ({ value: name, label: name })) }}
        suggestions={{ claim_type: [...new Set(coverageTypes)] }}
        opens={(claim) => ['claims', (claim as Claim).claim_id]}
      />
      <Command
        {...shared}
        name="RenewPolicy"
        look={isDue ? 'primary' : 'plain'}
        isAllowed={isActive && renewable}
        omitted={[
          'policy_number',
          'include_additional_coverage',
          'modify_exisitng_coverage',
          'coverage_details',
          'auto_renew',
        ]}
        initial={{ preferred_policy_start_date: isoDay(dayNumber(lastAgreed) + 1), policy_duration: YEAR_DAYS }}
      />
      <Command
        {...shared}
        name="ChangePolicy"
        isAllowed={isActive}
        omitted={['policy_number', 'changes.covered_items']}
        suggestions={{ coverage_name: coverageNames, coverage_type: coverageTypes }}
      />
      <Command {...shared} name="SetAutoRenew" isAllowed={isActive && renewable} initial={{ auto_renew }} />
      <Command {...shared} name="SetBeneficiaries" isAllowed={isActive} initial={{ beneficiaries }} />
      <Command
        {...shared}
        name="CancelPolicy"
        look="danger"
        isAllowed={isActive}
        omitted={['policy_number', 'merchant_feedback', 'alternative_offerings']}
      />
      <Command {...shared} name="WithdrawTerm" look="danger" isAllowed={isActive} />
    </>
  );
}

/** Returns the names of all coverages that the policy has or had: an incident may be older than a change. */
function namesOfCoverages({ coverages, terms }: PolicyWithTerms): readonly string[] {
  const all = [coverages, terms.flatMap(({ periods }) => periods.flatMap((period) => period.coverages))].flat();
  return [...new Set(all.map(({ coverage_name }) => coverage_name))];
}
