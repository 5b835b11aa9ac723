/**
 * Error codes and texts of Node, OpenSSL and the drivers, each with what is wrong. The drivers pass on only the text.
 */
const FAILURES: readonly (readonly [readonly string[], string])[] = [
  [
    ['CERT_HAS_EXPIRED', 'certificate has expired', 'CERT_NOT_YET_VALID', 'certificate is not yet valid'],
    'the certificate of the server has expired, or is not valid yet',
  ],
  [
    ['ERR_TLS_CERT_ALTNAME_INVALID', "does not match certificate's altnames"],
    'the certificate of the server is for another host name',
  ],
  [
    [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_GET_ISSUER_CERT',
      'self-signed certificate',
      'self signed certificate',
      'unable to verify the first certificate',
      'unable to get issuer certificate',
      'unable to get local issuer certificate',
    ],
    'the certificate of the server is not trusted: its authority is unknown here',
  ],
  [
    [
      'ERR_SSL_WRONG_VERSION_NUMBER',
      'wrong version number',
      'packet length too long',
      'ERR_SSL_PACKET_LENGTH_TOO_LONG',
    ],
    'the port of the server does not speak TLS',
  ],
  [['Failed to load certificate file'], 'the file in tlsCaFile cannot be read'],
  [
    ['before secure TLS connection was established'],
    'the server closed the connection before TLS began: its port may not speak TLS',
  ],
  // Signs of a plain connection to a port of TLS, which a server that ends or hangs shows too.
  [
    ['Last error: Failed to connect'],
    'the server accepts connections and does not respond: it may require TLS (tls=true)',
  ],
  [['connection <monitor> to'], 'the server closed the connection without a response: it may require TLS (tls=true)'],
  [['Greeting never received'], 'the server sends no greeting: its port may require TLS (smtps://)'],
];

/** How many causes of an error are looked at. */
const MAX_DEPTH = 8;

/**
 * Returns what is wrong with TLS or one of its files when a connection failed; undefined when the cause is another one.
 * Names no host and quotes no text of the server.
 */
export function tlsFailure(error: unknown): string | undefined {
  const errors = causesOf(error);
  for (const { code, path } of errors)
    if (typeof path === 'string' && typeof code === 'string' && /^E[A-Z]+$/.test(code))
      return `the file ${path} cannot be read (${code})`;
  const texts = errors.flatMap(({ code, message }) => [code, message]).filter((text) => typeof text === 'string');
  return FAILURES.find(([signs]) => texts.some((text) => signs.some((sign) => text.includes(sign))))?.[1];
}

interface FailedConnection {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly path?: unknown;
}

interface NestedFailure extends FailedConnection {
  /** The code of Node where `code` is nodemailer's. */
  readonly originalCode?: unknown;
  readonly cause?: unknown;
}

function causesOf(error: unknown): readonly FailedConnection[] {
  const found: FailedConnection[] = [];
  let one = error as NestedFailure | null | undefined;
  for (let depth = 0; depth < MAX_DEPTH && typeof one === 'object' && one !== null; depth++) {
    const { code, message, path, originalCode, cause } = one;
    found.push({ code, message, path }, { code: originalCode });
    one = cause as NestedFailure | null | undefined;
  }
  return found;
}
