import { z } from 'zod';
import type { PolicyDocument } from '../../projections/policies/policies.ts';
import { todayOf } from '../../src/domain/policy/cover.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { sha256 } from '../../src/event-sourcing/identifiers.ts';
import type { StoredDocument } from '../../src/read-models/read-models.ts';
import { type PastPolicy, policyAt } from '../history/past-document.ts';
import { type PointInTime, pointInTimeOf, pointInTimeSearch } from '../history/point-in-time.ts';
import { environmentChoice, policyPath } from '../parameters.ts';
import { defineQuery, type QueryContext } from '../query.ts';
import { getPolicyDocument, parseBody, requireReadable } from '../resources.ts';
import { LAYOUT_VERSION } from './certificate.ts';
import { certificateOf } from './certificate-texts.ts';

/** A policy number may be longer than file systems let a name be. */
const MAX_NUMBER_IN_NAME = 100;

export const getCertificate = defineQuery({
  name: 'GetCertificate',
  summary:
    'Makes the certificate of insurance of a policy as a PDF: as it is, as of a day or as it was known at an instant.',
  pathParameters: policyPath,
  search: z.strictObject({ ...environmentChoice, ...pointInTimeSearch }),
  response: z.string().meta({ description: 'The bytes of the PDF', format: 'binary' }),
  async respond({ path, search }, context) {
    const pointInTime = await pointInTimeOf(search, context);
    const stored = await getPolicyDocument(context, path.policy_id, search.environment_id);
    // Of many certificates that are asked for at once, one at a time is read from its policy between other requests.
    await context.nextTurn();
    const { policy, day } = await policyFor(context, stored, pointInTime);
    if (policy.waits) throw new Refusal('not_in_force_yet', 'The policy waits for its activation');
    const certificate = JSON.stringify(certificateOf(policy, day, pointInTime));
    return {
      kind: 'blob',
      fileName: `certificate-${fileNamePart(policy.policyNumber)}.pdf`,
      contentType: 'application/pdf',
      etag: `"${sha256(`${LAYOUT_VERSION} ${certificate}`)}"`,
      load: async () => await context.renderCertificate(certificate),
    };
  },
});

async function policyFor(
  context: QueryContext,
  stored: StoredDocument,
  pointInTime: PointInTime | undefined,
): Promise<PastPolicy> {
  if (pointInTime !== undefined) return await policyAt(context, stored, pointInTime);
  const { policy } = (parseBody(requireReadable(stored, 'policy_not_found')) as PolicyDocument).extra;
  return { policy, day: todayOf(policy, context.now) };
}

function fileNamePart(policyNumber: string): string {
  return Array.from(policyNumber.replace(/[^\p{L}\p{N}._-]+/gu, '-'))
    .slice(0, MAX_NUMBER_IN_NAME)
    .join('');
}
