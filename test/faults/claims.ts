import { policyRow } from '../support/imports.ts';
import type { Service } from '../support/service-process.ts';

/** Creates a policy, and returns a function that files a claim on it with a document of its own. */
export async function claimsOn(service: Service): Promise<(number: number) => Promise<string>> {
  const { environment_id } = await service.createEnvironment();
  const { policy_id } = await service.run('ImportPolicyTerm', { ...policyRow(), environment_id });
  return async (number) => {
    const blob = Buffer.from(`photo ${number} `.repeat(200)).toString('base64');
    const { claim_id } = await service.run('SubmitClaim', {
      environment_id,
      policy_id,
      claim_details: { claim_type: 'Glass', incident_date: '2026-02-01' },
      documents: [{ document_name: 'a.jpg', evidence_type: 'photo', blob }],
    });
    return String(claim_id);
  };
}
