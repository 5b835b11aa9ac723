import { z } from 'zod';
import type { PolicyDocument } from '#projections/policies/policies.ts';
import { todayOf } from '#domain/policy/cover.ts';
import { refusalsOf } from '#domain/refusals.ts';
import { sha256 } from '#event-sourcing/identifiers.ts';
import type { StoredDocument } from '#stores/read-models/read-models.ts';
import { type PastPolicy, POINT_IN_TIME_ERRORS, policyAt } from '../history/past-document.ts';
import { type PointInTime, pointInTimeOf, pointInTimeSearch } from '../history/point-in-time.ts';
import { environmentChoice, policyPath } from '../parameters.ts';
import { defineQuery, EVERY_ROLE, type QueryContext } from '../query.ts';
import { getPolicyDocument, parseBody, POLICY_ERRORS, requireReadable } from '../resources.ts';
import { LAYOUT_VERSION, RENDER_ERRORS } from './certificate.ts';
import { certificateOf } from './certificate-texts.ts';

/** File systems limit a name to 255 bytes, which a policy number may exceed. */
const MAX_BYTES_IN_NAME = 200;

const refuse = refusalsOf('not_in_force_yet');

export const getCertificate = defineQuery({
  name: 'GetCertificate',
  roles: EVERY_ROLE,
  summary:
    'Makes the certificate of insurance of a policy as a PDF: as it is, as of a day or as it was known at an instant.',
  description: `Makes a PDF from the view of the policy with the same parameters: insurer, distributor and holder, the term of the day, coverages with limits and deductibles, the premium with its parts, and beneficiaries. There is none while the policy waits for its activation (\`not_in_force_yet\`). A cancellation is shown with the last day of cover. In test mode every page has the word TEST across it. A character that the font lacks, such as those of Arabic, Hebrew and Chinese, is shown by its code point (\`\\u{627}\`).

The same policy, day and knowledge have the same bytes and the same \`ETag\`; without \`as_of\` the day is today, in the time zone of the policy. As of a day, what takes effect on later days is not shown, also a cancellation that is recorded already: for a paper of today leave \`as_of\` out. Certificates are made one after another, one of a merchant at a time; beyond 31 that wait, the response is 503 \`busy\`. Covered items over 2,000 characters are cut.`,
  errors: [...POLICY_ERRORS, ...POINT_IN_TIME_ERRORS, ...refuse.codes, ...RENDER_ERRORS],
  pathParameters: policyPath,
  search: z.strictObject({ ...environmentChoice, ...pointInTimeSearch }),
  response: z.string().meta({ description: 'The bytes of the PDF', format: 'binary' }),
  async respond({ path, search }, context) {
    const pointInTime = await pointInTimeOf(search, context);
    const stored = await getPolicyDocument(context, path.policy_id, search.environment_id);
    const { policy, day } = await policyFor(context, stored, pointInTime);
    if (policy.waits)
      throw refuse(
        'not_in_force_yet',
        policy.end === null ? 'The policy waits for its activation' : 'The policy ended before its activation',
      );
    const certificate = JSON.stringify(certificateOf(policy, day, pointInTime));
    return {
      kind: 'blob',
      fileName: `certificate-${fileNamePart(policy.contract.policyNumber)}.pdf`,
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
  const { policy } = parseBody(requireReadable(stored, 'policy_not_found')) as PolicyDocument;
  return { policy, day: todayOf(policy, context.now) };
}

function fileNamePart(policyNumber: string): string {
  let part = '';
  for (const character of policyNumber.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-')) {
    if (Buffer.byteLength(part + character) > MAX_BYTES_IN_NAME) break;
    part += character;
  }
  return part;
}
