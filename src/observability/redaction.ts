const CENSORED = '[redacted]';

/** Secrets and personal data by their form, wherever they stand in a line of the log, also inside JSON inside a string. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // User and password of a URL.
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s"'<>]*@/gi, `$1${CENSORED}@`],
  // An API key of Surety.
  [/\bsk_(live|test|platform)_\w+/g, CENSORED],
  [/\b(bearer|basic)\s+[\w.~+/=-]+/gi, `$1 ${CENSORED}`],
  // A value behind its name, as in `token=…` or `password: …`. A quote belongs to it only inside a string of the line.
  [
    /\b([\w-]*(?:password|passwd|secret|token|api[_-]?key|authorization))((?:\\+")?\s*[=:]\s*(?:\\+")?)[^\s"'\\,;&)}\]]+/gi,
    `$1$2${CENSORED}`,
  ],
  // An e-mail address.
  [/[^\s"'<>()[\]\\,;:=@]+@[^\s"'<>()[\]\\,;:=@]+\.[\p{L}\d-]{2,}/gu, CENSORED],
];

/** Returns a line of the log without what looks like a secret or an e-mail address. JSON stays JSON. */
export function redacted(line: string): string {
  return PATTERNS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line);
}
