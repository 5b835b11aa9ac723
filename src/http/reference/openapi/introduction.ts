import { basePathOf } from '../../api/messages/links.ts';

/** Returns the description of the document: short, because the reference begins with it. The guide of the API has the rules in full. */
export function introductionOf(publicUrl: string | undefined, version: string): string {
  const docs = `${basePathOf(publicUrl)}/docs`;
  return `Surety is an insurance service: merchants request quotes, purchase, renew, change and cancel policies, and file claims. This is version ${version} of the program; the interface is labelled 2.0.0.

- **Keys**: every operation except those of *Service* needs a key in \`X-API-Key\`. A merchant's key is valid for one environment, live (\`sk_live_…\`) or test
  (\`sk_test_…\`); platform keys (\`sk_platform_…\`) are those of administrators and auditors.
- **Retries**: a \`POST\`, \`PATCH\` or \`PUT\` with an \`Idempotency-Key\` is executed once. After a broken connection or a 5xx, repeat it unchanged.
- **Read your writes**: send \`Surety-Position\` of a response as \`Surety-Min-Position\` of a \`GET\`.
- **Errors** are problems (RFC 9457) with a \`code\`: [all codes](${docs}/errors).
- **Money** is a decimal string, **dates** are days in the \`time_zone\` of the environment, date-times are UTC.

[The API in short](${docs}/guides/api) has all rules: bodies and forms, lists, conditional requests, limits, the order of checks. Fields and codes may be added; existing
ones keep their meaning. Generated clients: send \`application/json\`.
`;
}
